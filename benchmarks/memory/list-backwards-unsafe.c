// Unsafe (valid-deref): A node is released before its link to the node before it is read.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *last = malloc(sizeof *last);
  last->next = 0;
  last->previous = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    node->previous = last;
    last->next = node;
    last = node;
  }
  while (last) {
    free(last);
    last = last->previous;
  }
  return 0;
}
