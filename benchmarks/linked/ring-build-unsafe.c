// Unsafe (valid-deref): The first node is released first, and then its link is read.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->next = head;
  head->data = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->data = 1;
    node->next = head->next;
    head->next = node;
  }
  struct node *node = head->next;
  while (node != head) {
    node->data = 2;
    node = node->next;
  }
  node = head->next;
  free(head);
  while (node != head) {
    struct node *next = node->next;
    free(node);
    node = next;
  }
  free(head->next);
  return 0;
}
