// Safe: last is the newest node, whose link is null; every other node leads to the one that was allocated after it. The
// second loop passes all of them in that order.
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
    struct node *next = first->next;
    free(first);
    first = next;
  }
  return 0;
}
