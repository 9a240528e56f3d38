// Unsafe (valid-deref): tail is kept when the list is built again, and leads to a node that was released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
  struct node *tail = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *head = 0;
    while (__VERIFIER_nondet_int()) {
      struct node *node = malloc(sizeof *node);
      node->next = 0;
      if (tail) tail->next = node;
      else head = node;
      tail = node;
    }
    while (head) {
      struct node *node = head->next;
      free(head);
      head = node;
    }
  }
  return 0;
}
