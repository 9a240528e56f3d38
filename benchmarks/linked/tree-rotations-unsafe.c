// Unsafe (valid-deref): A left link is not rotated away, so that nodes are met again after their release.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };

int main(void) {
  struct tree *root = 0;
  while (__VERIFIER_nondet_int()) {
    struct tree *node = malloc(sizeof *node);
    if (!node) break;
    node->left = node->right = 0;
    if (__VERIFIER_nondet_int()) node->left = root;
    else node->right = root;
    root = node;
  }
  while (root) {
    struct tree *left = root->left;
    if (left) {
      left->right = root;
      root = left;
    } else {
      struct tree *right = root->right;
      free(root);
      root = right;
    }
  }
  return 0;
}
