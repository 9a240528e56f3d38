// Safe: Of a circular list only the head has the mark 0; a walk that stops at the head sees the mark 1 before.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int mark; struct node *next; };

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->mark = 0;
  head->next = head;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->mark = 1;
    node->next = head->next;
    head->next = node;
  }
  for (struct node *node = head->next; node != head; node = node->next) {
    if (node->mark != 1) reach_error();
  }
  return 0;
}
