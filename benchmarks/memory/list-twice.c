// Safe: The list is built and released again and again; each time all nodes are released before the next ones are made.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
  while (__VERIFIER_nondet_int()) {
    struct node *list = 0;
    while (__VERIFIER_nondet_int()) {
      struct node *node = malloc(sizeof *node);
      node->next = list;
      list = node;
    }
    while (list) {
      struct node *next = list->next;
      free(list);
      list = next;
    }
  }
  return 0;
}
