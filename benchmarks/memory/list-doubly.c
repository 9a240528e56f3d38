// Safe: next leads to the older neighbour, previous to the younger one; only next is followed, and previous is set where
// there is a node.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->previous = 0;
    if (list) list->previous = node;
    list = node;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
    if (list) list->previous = 0;
  }
  return 0;
}
