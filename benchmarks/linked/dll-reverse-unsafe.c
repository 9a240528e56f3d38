// Unsafe (valid-memtrack): The list begins with its old first node, behind which there is none now.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next, *previous; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    if (!node) break;
    node->next = list;
    node->previous = 0;
    if (list) list->previous = node;
    list = node;
  }
  struct node *node = list;
  while (node) {
    struct node *next = node->next;
    node->next = node->previous;
    node->previous = next;
    node = next;
  }
  while (list) {
    node = list->next;
    free(list);
    list = node;
  }
  return 0;
}
