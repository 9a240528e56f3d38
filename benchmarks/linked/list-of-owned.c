// Safe: Each node owns a block with its value.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int *value; struct node *next; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->value = malloc(sizeof *node->value);
    if (!node->value) {
      free(node);
      break;
    }
    *node->value = __VERIFIER_nondet_int();
    node->next = list;
    list = node;
  }
  int positive = 0;
  for (struct node *node = list; node; node = node->next) {
    if (*node->value > 0) positive = 1;
  }
  while (list) {
    struct node *next = list->next;
    free(list->value);
    free(list);
    list = next;
  }
  return positive;
}
