// Safe: In a list each red node is followed by a black one.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
enum colour { RED, BLACK };
struct node { struct node *next; enum colour colour; };

int main(void) {
  struct node *list = malloc(sizeof *list);
  if (!list) return 0;
  list->next = 0;
  list->colour = BLACK;
  struct node *last = list;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) abort();
    node->next = 0;
    if (last->colour == BLACK && __VERIFIER_nondet_int()) node->colour = RED;
    else node->colour = BLACK;
    last->next = node;
    last = node;
  }
  if (last->colour == RED) last->colour = BLACK;
  for (struct node *node = list; node; node = node->next)
    if (node->colour == RED && (!node->next || node->next->colour == RED)) reach_error();
  return 0;
}
