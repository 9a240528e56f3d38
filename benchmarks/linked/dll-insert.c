// Safe: A node is put behind any node of a doubly linked list.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *list = malloc(sizeof *list);
  if (!list) abort();
  list->next = list->previous = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *place = list;
    while (place->next && __VERIFIER_nondet_int()) place = place->next;
    struct node *node = malloc(sizeof *node);
    if (!node) abort();
    node->next = place->next;
    node->previous = place;
    if (node->next) node->next->previous = node;
    place->next = node;
  }
  while (list) {
    struct node *node = list;
    list = list->next;
    if (list) list->previous = 0;
    free(node);
  }
  return 0;
}
