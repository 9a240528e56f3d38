// Unsafe (valid-deref): The loop to the last node does not stop there.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) abort();
    node->data = 1;
    node->next = 0;
    if (!list) list = node;
    else {
      struct node *last = list;
      while (last) last = last->next;
      last->next = node;
    }
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
