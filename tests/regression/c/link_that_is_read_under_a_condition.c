// chcverify: --property valid-memsafety --timeout 300
// Unsafe: list is null where it is asked for a second node, so its link is not read, and the block behind that is lost.
extern void *malloc(unsigned long);
extern void free(void *);
struct node {
  struct node *next;
};

int main(void) {
  struct node *first = malloc(sizeof *first);
  first->next = 0;
  struct node *list = first;
  struct node *second = malloc(sizeof *second);
  second->next = list;
  list->next = 0;
  list->next = second;
  second->next = 0;
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  int more = list && list->next;
  struct node *third = list ? list->next : 0;
  if (!more && !third) {
    struct node *lost = malloc(sizeof *lost);
    lost->next = 0;
  }
  return 0;
}
