// Safe: A list in which one node is marked: that one is found, taken out and released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; int marked; };

int main(void) {
  struct node *list = malloc(sizeof *list);
  if (!list) return 0;
  list->next = list->previous = 0;
  list->marked = 0;
  struct node *last = list;
  int marked = 0;
  while (!marked || __VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) abort();
    node->next = 0;
    node->previous = last;
    node->marked = 0;
    if (!marked && __VERIFIER_nondet_int()) node->marked = marked = 1;
    last->next = node;
    last = node;
  }
  struct node *node = list;
  while (!node->marked) node = node->next;
  node->previous->next = node->next;
  if (node->next) node->next->previous = node->previous;
  free(node);
  while (list) {
    node = list;
    list = list->next;
    free(node);
  }
  return 0;
}
