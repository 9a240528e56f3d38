// Ends: the first list loses a node with each step.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct node { struct node *next; };
int main(void) {
  struct node *list = 0, *reversed = 0;
  for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  while (list) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  return reversed == 0;
}
