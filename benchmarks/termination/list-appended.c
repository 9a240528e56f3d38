// Ends: each node leads to a newer one, or to none.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct node { struct node *next; };
int main(void) {
  struct node *first = malloc(sizeof *first), *last = first;
  first->next = 0;
  for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
    struct node *node = malloc(sizeof *node);
    node->next = 0;
    last->next = node;
    last = node;
  }
  for (struct node *p = first; p; p = p->next) ;
  return 0;
}
