// Unsafe (valid-deref): A node is released before its link is read.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
  struct node *first = malloc(sizeof *first);
  first->next = 0;
  struct node *last = first;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    last->next = node;
    last = node;
  }
  while (first) {
    free(first);
    first = first->next;
  }
  return 0;
}
