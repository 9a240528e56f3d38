// Unsafe (valid-memtrack): The last node is never released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *head = 0, *tail = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *node = malloc(sizeof *node);
      node->next = 0;
      node->previous = tail;
      if (tail) tail->next = node;
      else head = node;
      tail = node;
    } else if (tail) {
      struct node *node = tail;
      tail = node->previous;
      if (tail) tail->next = 0;
      else head = 0;
      free(node);
    }
  }
  while (tail && tail->previous) {
    struct node *node = tail->previous;
    free(tail);
    tail = node;
  }
  return 0;
}
