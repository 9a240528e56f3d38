// Unsafe (valid-deref): as container-of.c, but for: item->data[2]++;
extern int __VERIFIER_nondet_int(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

struct link {
  struct link *next;
};
struct item {
  int data[3];
  struct link link;
};
#define OFFSET ((size_t) & ((struct item *)0)->link)
#define ITEM(p) ((struct item *)((char *)(p)-OFFSET))

int main(void) {
  struct link *head = 0;
  while (__VERIFIER_nondet_int()) {
    struct item *item = malloc(sizeof(struct item));
    item->data[2] = 1;
    item->link.next = head;
    head = &item->link;
  }
  while (head) {
    struct item *item = ITEM(head);
    item->data[2]++;
    free(item);
    head = head->next;
  }
  return 0;
}
