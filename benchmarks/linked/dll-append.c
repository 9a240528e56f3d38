// Safe: A doubly linked list is built at its end, walked backwards from there, and released from its beginning.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; int data; };

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->next = 0;
  head->previous = 0;
  head->data = 0;
  struct node *tail = head;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->next = 0;
    node->previous = tail;
    node->data = 1;
    tail->next = node;
    tail = node;
  }
  for (struct node *node = tail; node; node = node->previous) node->data = 2;
  while (head) {
    struct node *next = head->next;
    free(head);
    head = next;
  }
  return 0;
}
