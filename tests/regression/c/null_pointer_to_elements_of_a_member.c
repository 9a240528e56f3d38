// chcverify: --property valid-memsafety --timeout 300
// The pointer may be null; null is the same address whichever member of a block a pointer may lead to.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node {
  char text[4];
};
int main(void) {
  struct node *node = malloc(sizeof *node);
  char *p = 0;
  if (node && __VERIFIER_nondet_int() == 5) p = node->text;
  *p = 1;
  free(node);
  return 0;
}
