// A list of three nodes on the heap is reversed.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }


struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = 0, *reversed = 0;
  int x[3];
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n);
    n->value = x[i] = __VERIFIER_nondet_int();
    n->next = list;
    list = n;
  }
  while (list) {
    struct node *next = list->next;
    list->next = reversed;
    reversed = list;
    list = next;
  }
  for (int i = 0; i < 3; i++, reversed = reversed->next)
    if (reversed->value != x[i])
      reach_error();
  return 0;
}
