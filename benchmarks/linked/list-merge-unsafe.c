// Unsafe (valid-deref): The right list may be empty when its first item is compared.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

static struct node *build(void) {
  struct node *list = 0;
  int data = 1000;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->data = data;
    node->next = list;
    list = node;
    if (data > -1000 && __VERIFIER_nondet_int()) data--;
  }
  return list;
}

int main(void) {
  struct node *left = build(), *right = build(), *merged = 0, *last = 0;
  while (left || right) {
    struct node *node;
    if ((left && left->data < right->data)) {
      node = left;
      left = left->next;
    } else {
      node = right;
      right = right->next;
    }
    node->next = 0;
    if (last) last->next = node;
    else merged = node;
    last = node;
  }
  while (merged) {
    struct node *next = merged->next;
    free(merged);
    merged = next;
  }
  return 0;
}
