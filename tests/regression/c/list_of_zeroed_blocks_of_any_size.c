// chcverify: --property valid-memsafety --timeout 60
// The zeros of calloc may be written by a loop behind the allocation, where its size is unbounded: no link of such a block
// was stored, and the list that is reversed here loses its second node.
typedef unsigned long size_t;
void *calloc(size_t count, size_t size);
void free(void *block);
unsigned __VERIFIER_nondet_uint(void);
struct node { struct node *next; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    unsigned n = __VERIFIER_nondet_uint();
    struct node *made = calloc(n, sizeof *made);
    if (!made || !n) return 0;
    made->next = head;
    head = made;
  }
  struct node *reversed = 0;
  while (head) {
    struct node *next = head->next;
    if (head->next != 0 || reversed == 0) { head->next = reversed; reversed = head; }
    head = next;
  }
  reversed = reversed ? reversed->next : 0;
  while (reversed) { struct node *next = reversed->next; free(reversed); reversed = next; }
  return 0;
}
