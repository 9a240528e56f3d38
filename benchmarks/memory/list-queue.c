// Safe: Nodes are appended behind tail and taken from head; where the last one is taken, tail becomes null with head, so that it
// never leads to a released node.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int value; struct node *next; };

int main(void) {
  struct node *head = 0, *tail = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      struct node *node = malloc(sizeof *node);
      node->value = 1;
      node->next = 0;
      if (tail) tail->next = node;
      else head = node;
      tail = node;
    } else if (head) {
      struct node *node = head;
      head = node->next;
      if (!head) tail = 0;
      free(node);
    }
  }
  while (head) {
    struct node *node = head;
    head = node->next;
    free(node);
  }
  return 0;
}
