// Safe: A node is put in front, or between two others: node->next is set to the node behind before->next leads to node,
// so each node is led to by list or by one other node until the last loop releases them all from list on.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int key; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->key = __VERIFIER_nondet_int();
    if (!list || list->key >= node->key) {
      node->next = list;
      list = node;
    } else {
      struct node *before = list;
      while (before->next && before->next->key < node->key)
        before = before->next;
      node->next = before->next;
      before->next = node;
    }
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
