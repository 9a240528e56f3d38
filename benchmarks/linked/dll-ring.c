// Safe: A circular doubly linked list is built behind its head and released from there.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->next = head->previous = head;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->next = head->next;
    node->previous = head;
    node->next->previous = node;
    head->next = node;
  }
  struct node *node = head->next;
  while (node != head) {
    struct node *next = node->next;
    free(node);
    node = next;
  }
  free(head);
  return 0;
}
