// Safe: top is the newest node that was not released, and leads to the others; nodes are pushed and popped in any order, and
// what is left is popped at the end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };

int main(void) {
  struct node *top = 0;
  for (;;) {
    int command = __VERIFIER_nondet_int();
    if (command == 0) break;
    if (command > 0) {
      struct node *node = malloc(sizeof *node);
      node->value = command;
      node->next = top;
      top = node;
    } else if (top) {
      struct node *node = top;
      top = node->next;
      free(node);
    }
  }
  while (top) {
    struct node *node = top;
    top = node->next;
    free(node);
  }
  return 0;
}
