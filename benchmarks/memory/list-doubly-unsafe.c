// Unsafe (valid-deref): After the last node is released there is none whose link could be set.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->previous = 0;
    if (list) list->previous = node;
    list = node;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
    list->previous = 0;
  }
  return 0;
}
