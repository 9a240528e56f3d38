// Unsafe (valid-memtrack): Only one of the two lists is released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { int data; struct node *next; };

static void release(struct node *list) {
  while (list) {
    struct node *node = list;
    list = list->next;
    free(node);
  }
}

int main(void) {
  struct node *list = 0, *odd = 0, *even = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->data = __VERIFIER_nondet_int();
    node->next = list;
    list = node;
  }
  while (list) {
    struct node *node = list;
    list = list->next;
    if (node->data % 2) {
      node->next = odd;
      odd = node;
    } else {
      node->next = even;
      even = node;
    }
  }
  release(odd);
  return 0;
}
