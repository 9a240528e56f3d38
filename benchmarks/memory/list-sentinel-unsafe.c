// Unsafe (valid-deref): The loop asks for a flag that no node has, so it goes beyond the oldest node.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int flag; struct node *next; };

int main(void) {
  struct node *list = malloc(sizeof *list);
  list->flag = 2;
  list->next = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->flag = 1;
    node->next = list;
    list = node;
  }
  while (list->flag != 3) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  free(list);
  return 0;
}
