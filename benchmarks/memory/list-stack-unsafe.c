// Unsafe (valid-deref): The stack may be empty where a node is popped.
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
    } else {
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
