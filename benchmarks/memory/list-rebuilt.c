// Safe: Each time the list is built by appending; all of its nodes are released before it is built again.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct node *head = 0, *tail = 0;
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
