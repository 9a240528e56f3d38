// Does not end: the last node leads to the first one.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct node { struct node *next; };
int main(void) {
  struct node *list = 0, *last = 0;
  for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    if (!last) last = node;
    list = node;
  }
  if (last) last->next = list;
  for (struct node *p = list; p; p = p->next) ;
  return 0;
}
