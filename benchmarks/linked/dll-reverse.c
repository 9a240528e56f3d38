// Safe: A doubly linked list is reversed in place: each node's two links change their places.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->next = list;
    node->previous = 0;
    if (list) list->previous = node;
    list = node;
  }
  struct node *node = list;
  while (node) {
    struct node *next = node->next;
    node->next = node->previous;
    node->previous = next;
    list = node;
    node = next;
  }
  while (list) {
    node = list->next;
    free(list);
    list = node;
  }
  return 0;
}
