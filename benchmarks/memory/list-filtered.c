// Safe: A node with a negative key is released after the one before it leads to the one behind it, so at, which stays,
// leads to a living node or to none; the last loop releases all that are left.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int key; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->key = __VERIFIER_nondet_int();
    node->next = list;
    list = node;
  }
  struct node *at = list;
  while (at && at->next) {
    struct node *next = at->next;
    if (next->key < 0) {
      at->next = next->next;
      free(next);
    } else {
      at = next;
    }
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
