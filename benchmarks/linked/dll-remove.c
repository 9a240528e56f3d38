// Safe: A node is taken out of the middle of a doubly linked list, whose neighbours then lead to each other.
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
  while (node && __VERIFIER_nondet_int()) node = node->next;
  if (node) {
    if (node->previous) node->previous->next = node->next;
    else list = node->next;
    if (node->next) node->next->previous = node->previous;
    free(node);
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
