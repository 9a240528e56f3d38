// Unsafe (valid-deref): The second level is followed when the nodes are gone.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *far; };

int main(void) {
  struct node *list = 0, *level = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->next = list;
    node->far = 0;
    list = node;
    if (__VERIFIER_nondet_int()) {
      node->far = level;
      level = node;
    }
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  while (level && __VERIFIER_nondet_int()) level = level->far;
  return 0;
}
