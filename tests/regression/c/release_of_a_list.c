// chcverify: --timeout 60
// Each node of a list is read before it is released, the others stay.
#include <assert.h>
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
  int value;
  struct node *next;
};
int main(void) {
  struct node *list = 0;
  while (__VERIFIER_nondet_int()) {
    struct node *made = malloc(sizeof *made);
    made->value = 7;
    made->next = list;
    list = made;
  }
  while (list) {
    struct node *next = list->next;
    assert(list->value == 7);
    free(list);
    list = next;
  }
  return 0;
}
