// Unsafe (valid-memtrack): The last of the lists is not released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int key; };

static void release(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

int main(void) {
  struct node *list = 0, *low = 0, *middle = 0, *high = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) abort();
    node->key = __VERIFIER_nondet_int();
    node->next = list;
    list = node;
  }
  while (list) {
    struct node *node = list;
    list = list->next;
    if (node->key < 10) {
      node->next = low;
      low = node;
    } else if (node->key < 20) {
      node->next = middle;
      middle = node;
    } else {
      node->next = high;
      high = node;
    }
  }
  release(low);
  release(middle);
  return 0;
}
