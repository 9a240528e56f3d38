// Safe: A singly linked list with a first node is built at its end and released in a second loop.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->next = 0;
  head->data = 0;
  struct node *node = head;
  while (__VERIFIER_nondet_int()) {
    node->next = malloc(sizeof *node);
    if (!node->next) break;
    node = node->next;
    node->next = 0;
    node->data = 1;
  }
  while (head) {
    node = head;
    head = head->next;
    free(node);
  }
  return 0;
}
