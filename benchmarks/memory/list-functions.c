// Safe: As list-prepend.c, with a function for each operation on the list.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };

static struct node *pushed(struct node *list) {
  struct node *node = malloc(sizeof *node);
  node->next = list;
  return node;
}

static void release(struct node *list) {
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
}

int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) list = pushed(list);
  release(list);
  return 0;
}
