// Unsafe (valid-deref): The loop that adds up reads the next node's value before it asks if there is one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { unsigned value; struct node *next; };

int main(void) {
  struct node *list = 0;
  unsigned sum = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->value = __VERIFIER_nondet_int();
    node->next = list;
    list = node;
  }
  if (list) {
    struct node *node = list;
    do {
      node = node->next;
      sum += node->value;
    } while (node);
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return sum > 100;
}
