// Safe: The nodes of a binary tree lead to the node above, too; on this way the tree is left when a leaf is released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right, *above; };

int main(void) {
  struct tree *root = malloc(sizeof *root);
  if (!root) return 0;
  root->left = root->right = root->above = 0;
  while (__VERIFIER_nondet_int()) {
    struct tree *node = root;
    while (node->left && node->right) node = __VERIFIER_nondet_int() ? node->left : node->right;
    struct tree *leaf = malloc(sizeof *leaf);
    if (!leaf) break;
    leaf->left = leaf->right = 0;
    leaf->above = node;
    if (!node->left) node->left = leaf;
    else node->right = leaf;
  }
  struct tree *node = root;
  while (node) {
    if (node->left) node = node->left;
    else if (node->right) node = node->right;
    else {
      struct tree *above = node->above;
      if (above && above->left == node) above->left = 0;
      else if (above) above->right = 0;
      free(node);
      node = above;
    }
  }
  return 0;
}
