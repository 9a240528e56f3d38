// Ends: each node was put in front of older ones.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct node { struct node *next; };
int main(void) {
  struct node *list = 0;
  for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  for (struct node *p = list; p; p = p->next) ;
  return 0;
}
