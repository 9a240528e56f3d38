// Safe: A circular list whose head is a variable, as in the lists of kernels.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };
static struct node head = {&head, &head};

int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->next = head.next;
    node->previous = &head;
    head.next->previous = node;
    head.next = node;
  }
  while (head.next != &head) {
    struct node *node = head.next;
    node->next->previous = node->previous;
    node->previous->next = node->next;
    free(node);
  }
  return 0;
}
