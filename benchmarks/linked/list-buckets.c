// Safe: The nodes of a list are moved to one of three others, which are released one after the other.
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
  release(high);
  return 0;
}
