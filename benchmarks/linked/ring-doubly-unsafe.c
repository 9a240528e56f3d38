// Unsafe (valid-deref): The head leads to the node that was released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

static void insert(struct node *node, struct node *before, struct node *after) {
  node->previous = before;
  node->next = after;
  before->next = node;
  after->previous = node;
}

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->next = head;
  head->previous = head;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    if (__VERIFIER_nondet_int()) insert(node, head, head->next);
    else insert(node, head->previous, head);
  }
  while (head->next != head) {
    struct node *node = head->next;
    node->next->previous = head;
    free(node);
  }
  free(head);
  return 0;
}
