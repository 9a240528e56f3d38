// Three numbers are inserted into a sorted list.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }


struct node {
  int value;
  struct node *next;
};

int main(void) {
  struct node *list = 0;
  for (int i = 0; i < 3; i++) {
    struct node *n = malloc(sizeof *n), *before = 0, *at = list;
    n->value = __VERIFIER_nondet_int();
    while (at && at->value < n->value) {
      before = at;
      at = at->next;
    }
    n->next = at;
    if (before)
      before->next = n;
    else
      list = n;
  }
  int count = 0;
  for (struct node *n = list; n; n = n->next) {
    count++;
    if (n->next && n->value > n->next->value)
      reach_error();
  }
  if (count != 3)
    reach_error();
  return 0;
}
