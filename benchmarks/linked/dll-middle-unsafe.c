// Unsafe (valid-deref): A node that was put in at the end is released, and then met again.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *head = malloc(sizeof *head);
  if (!head) return 0;
  head->next = head->previous = 0;
  struct node *last = head;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->next = 0;
    node->previous = last;
    last->next = node;
    last = node;
  }
  struct node *place = head;
  while (place->next && __VERIFIER_nondet_int()) place = place->next;
  struct node *fresh = malloc(sizeof *fresh);
  if (fresh) {
    fresh->next = place->next;
    fresh->previous = place;
    if (fresh->next) fresh->next->previous = fresh;
    place->next = fresh;
    if (!fresh->next) free(fresh);
  }
  while (head) {
    struct node *node = head->next;
    free(head);
    head = node;
  }
  return 0;
}
