// Safe: Numbers are put into an ascending list at their place, found through the address of a link.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    int data = __VERIFIER_nondet_int();
    struct node *before = 0, *after = list;
    while (after && after->data < data) {
      before = after;
      after = after->next;
    }
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->data = data;
    node->next = after;
    if (before) before->next = node;
    else list = node;
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
