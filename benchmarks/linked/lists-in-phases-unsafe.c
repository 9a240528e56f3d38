// Unsafe (valid-deref): The link of an item is read after its release.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct item { struct item *next; };
struct node { struct node *next; struct item *items; };

int main(void) {
  struct node *list = 0, *node;
  while (__VERIFIER_nondet_int()) {
    node = malloc(sizeof *node);
    if (!node) break;
    node->items = 0;
    node->next = list;
    list = node;
  }
  for (node = list; node; node = node->next) {
    while (__VERIFIER_nondet_int()) {
      struct item *item = malloc(sizeof *item);
      if (!item) break;
      item->next = node->items;
      node->items = item;
    }
  }
  for (node = list; node; node = node->next) {
    while (node->items) {
      struct item *item = node->items;
      free(item);
      node->items = item->next;
    }
  }
  while (list) {
    node = list->next;
    free(list);
    list = node;
  }
  return 0;
}
