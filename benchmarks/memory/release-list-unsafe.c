// Unsafe (valid-memcleanup): The last node is left: the loop ends where the next node is null, before that is
// released.
#include <stdlib.h>
struct node { struct node *next; int value; };

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *node = malloc(sizeof *node);
    node->next = list;
    node->value = i;
    list = node;
  }
  while (list->next) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
  return 0;
}
