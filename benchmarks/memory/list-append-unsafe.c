// Unsafe (valid-deref): The link of the last node is never set, and followed at the end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
  struct node *first = malloc(sizeof *first);
  struct node *last = first;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    last->next = node;
    last = node;
  }
  while (first) {
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
