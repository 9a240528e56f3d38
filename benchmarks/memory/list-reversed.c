// Safe: The second loop takes the nodes off list one by one and puts each in front of reversed; each node is in one of the
// two lists or held by a variable, and the last loop releases those of reversed, which are all when list is empty.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  struct node *reversed = 0;
  while (list) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  while (reversed) {
    struct node *next = reversed->next;
    free(reversed);
    reversed = next;
  }
  return 0;
}
