// Unsafe (valid-deref): A node with a negative key is taken out and released, and its key is read after that.
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
  int least = 0;
  while (at && at->next) {
    struct node *next = at->next;
    if (next->key < 0) {
      at->next = next->next;
      free(next);
      if (next->key < least)
        least = next->key;
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
