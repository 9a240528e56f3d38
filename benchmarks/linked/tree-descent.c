// Safe: A binary tree grows at places found by descending; it is released by recursion.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

static void release(struct tree *tree) {
  if (tree->left) release(tree->left);
  if (tree->right) release(tree->right);
  free(tree);
}

int main(void) {
  struct tree *root = malloc(sizeof *root);
  if (!root) return 0;
  root->left = root->right = 0;
  while (__VERIFIER_nondet_int()) {
    struct tree *node = root;
    while (node->left && node->right) node = __VERIFIER_nondet_int() ? node->left : node->right;
    struct tree *leaf = malloc(sizeof *leaf);
    if (!leaf) break;
    leaf->left = leaf->right = 0;
    if (node->left) node->right = leaf;
    else node->left = leaf;
  }
  release(root);
  return 0;
}
