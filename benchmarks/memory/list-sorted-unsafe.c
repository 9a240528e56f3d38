// Unsafe (valid-memtrack): A node that is put between two others ends the list; nothing leads to those behind it any more.
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
      before->next = node;
      node->next = 0;
    }
  }
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
