// Safe: A list is split by a flag into two, which are joined again; every node is released once.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int flag; };

int main(void) {
  struct node *list = 0, *left = 0, *right = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) abort();
    node->flag = __VERIFIER_nondet_int();
    node->next = list;
    list = node;
  }
  while (list) {
    struct node *node = list;
    list = node->next;
    if (node->flag) {
      node->next = left;
      left = node;
    } else {
      node->next = right;
      right = node;
    }
  }
  struct node *end = left;
  while (end && end->next) end = end->next;
  if (end) end->next = right;
  else left = right;
  while (left) {
    struct node *next = left->next;
    free(left);
    left = next;
  }
  return 0;
}
