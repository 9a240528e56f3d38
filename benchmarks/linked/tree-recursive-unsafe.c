// Unsafe (valid-deref): The links of a node are read after its release.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

static struct tree *build(void) {
  if (!__VERIFIER_nondet_int()) return 0;
  struct tree *node = malloc(sizeof *node);
  if (!node) return 0;
  node->left = build();
  node->right = build();
  return node;
}

static void release(struct tree *node) {
  if (!node) return;
  free(node);
  release(node->left);
  release(node->right);
}

int main(void) {
  struct tree *root = build();
  release(root);
  return 0;
}
