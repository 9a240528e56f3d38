// Unsafe (valid-memtrack): The loop that reverses the list ends before its last node, which nothing holds in the end.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    list = node;
  }
  struct node *reversed = 0;
  while (list && list->next) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  list = 0;
  while (reversed) {
    struct node *next = reversed->next;
    free(reversed);
    reversed = next;
  }
  return 0;
}
