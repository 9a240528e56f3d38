// Safe: A list of lists: each node of the outer one holds a list of nodes of another type.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct inner { struct inner *next; };
struct outer { struct outer *next; struct inner *items; };

int main(void) {
  struct outer *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct outer *node = malloc(sizeof *node);
    if (!node) break;
    node->items = 0;
    node->next = list;
    list = node;
    while (__VERIFIER_nondet_int()) {
      struct inner *item = malloc(sizeof *item);
      if (!item) break;
      item->next = node->items;
      node->items = item;
    }
  }
  while (list) {
    struct outer *next = list->next;
    struct inner *item = list->items;
    while (item) {
      struct inner *after = item->next;
      free(item);
      item = after;
    }
    free(list);
    list = next;
  }
  return 0;
}
