// chcverify: --property valid-memsafety --timeout 300
// The second node of a block leads to the first one, behind which it lies: that keeps no block.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; };
int main(void) {
  struct node *kept = malloc(sizeof *kept);
  kept->next = 0;
  while (__VERIFIER_nondet_int() != 4711) {
    struct node *pair = malloc(2 * sizeof *pair);
    pair[0].next = 0;
    pair[1].next = pair;
    if (pair[0].next) return 0;
    pair = 0;
  }
  while (kept) {
    struct node *next = kept->next;
    free(kept);
    kept = next;
  }
  return 0;
}
