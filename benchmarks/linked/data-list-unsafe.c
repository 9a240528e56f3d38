// Unsafe (unreach-call): An item may be 3.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int data; struct node *next; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->data = __VERIFIER_nondet_int() ? 1 : 2 + (__VERIFIER_nondet_int() == 7);
    node->next = list;
    list = node;
  }
  for (struct node *node = list; node; node = node->next) {
    if (node->data != 1 && node->data != 2) reach_error();
  }
  return 0;
}
