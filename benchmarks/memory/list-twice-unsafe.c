// Unsafe (valid-memcleanup): The first node of each list is left: the loop ends where the next node is null.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
      struct node *node = malloc(sizeof *node);
      node->next = list;
      list = node;
    }
    while (list && list->next) {
      struct node *next = list->next;
      free(list);
      list = next;
    }
  }
  return 0;
}
