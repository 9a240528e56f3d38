// Unsafe (valid-deref): The link of a node is read after its release.
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
    free(node);
    head = node->next;
  }
  return 0;
}
