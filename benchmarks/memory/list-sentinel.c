// Safe: Only the oldest node has flag 2, all others have flag 1 and lead to an older one; so the second loop ends at the
// oldest node at the latest, and never follows that one's link, which is never set.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int flag; struct node *next; };

int main(void) {
  struct node *list = malloc(sizeof *list);
  list->flag = 2;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->flag = 1;
    node->next = list;
    list = node;
  }
  while (list->flag != 2) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  free(list);
  return 0;
}
