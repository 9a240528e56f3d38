// Safe: Each node leads to the one before it, and last is the newest; the second loop follows previous from there and
// releases every node, the oldest one at the end, whose previous is null.
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
    struct node *previous = last->previous;
    free(last);
    last = previous;
  }
  return 0;
}
