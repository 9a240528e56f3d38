// Safe: A binary tree is built and released by functions that call themselves.
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
  release(node->left);
  release(node->right);
  free(node);
}

int main(void) {
  struct tree *root = build();
  release(root);
  return 0;
}
