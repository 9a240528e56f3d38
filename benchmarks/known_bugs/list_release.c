/* A list is released: the link of a node is read when the node is gone. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

static void release(struct node *list) {
#ifdef FIXED
  while (list) {
    struct node *next = list->next;
    free(list);
    list = next;
  }
#else
  for (; list; list = list->next) free(list);
#endif
}

int main(void) {
  struct node *list = NULL;
  while (__VERIFIER_nondet_int()) {
    struct node *made = malloc(sizeof *made);
    if (!made) break;
    made->value = __VERIFIER_nondet_int();
    made->next = list;
    list = made;
  }
  release(list);
  return 0;
}
