// Safe: The loop in the middle follows links of living nodes only, and changes none of them.
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
  for (struct node *node = list; node; node = node->next) sum += node->value;
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return sum > 100;
}
