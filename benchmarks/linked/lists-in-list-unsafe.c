// Unsafe (valid-memtrack): Of each inner list only the first item is released.
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
    if (item) {
      struct inner *after = item->next;
      free(item);
      item = after;
    }
    free(list);
    list = next;
  }
  return 0;
}
