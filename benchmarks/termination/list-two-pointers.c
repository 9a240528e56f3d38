// Ends: the fast pointer goes to older nodes.
#include <stdlib.h>
extern unsigned __VERIFIER_nondet_uint(void);

struct node { struct node *next; };
int main(void) {
  struct node *list = 0;
  for (unsigned n = __VERIFIER_nondet_uint(); n > 0; n--) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  struct node *slow = list, *fast = list;
  while (fast && fast->next) {
    slow = slow->next;
    fast = fast->next->next;
  }
  return slow == 0;
}
