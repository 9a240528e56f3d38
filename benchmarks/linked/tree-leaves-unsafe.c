// Unsafe (valid-deref): A leaf is released that the tree still leads to.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

int main(void) {
  struct tree *root = malloc(sizeof *root);
  if (!root) return 0;
  root->left = root->right = 0;
  while (__VERIFIER_nondet_int()) {
    struct tree *node = root;
    while (node->left && node->right) {
      if (__VERIFIER_nondet_int()) node = node->left;
      else node = node->right;
    }
    struct tree *leaf = malloc(sizeof *leaf);
    if (!leaf) break;
    leaf->left = leaf->right = 0;
    if (!node->left) node->left = leaf;
    else node->right = leaf;
  }
  while (root) {
    struct tree *node = root, *above = 0;
    while (node->left || node->right) {
      above = node;
      node = node->left ? node->left : node->right;
    }
    if (!above) root = 0;
    else if (above->left == node) above->left = 0;
    else above->left = 0;
    free(node);
  }
  return 0;
}
