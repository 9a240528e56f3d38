// Safe: A binary search tree whose nodes lead to the node above is released iteratively.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right, *above; int key; };

int main(void) {
  struct tree *root = 0;
  while (__VERIFIER_nondet_int()) {
    struct tree *fresh = malloc(sizeof *fresh);
    if (!fresh) abort();
    fresh->key = __VERIFIER_nondet_int();
    fresh->left = fresh->right = fresh->above = 0;
    if (!root) {
      root = fresh;
      continue;
    }
    struct tree *node = root;
    for (;;) {
      struct tree *below = fresh->key < node->key ? node->left : node->right;
      if (!below) break;
      node = below;
    }
    fresh->above = node;
    if (fresh->key < node->key) node->left = fresh;
    else node->right = fresh;
  }
  struct tree *node = root;
  while (node) {
    struct tree *left = node->left, *right = node->right;
    if (left) {
      node->left = 0;
      node = left;
    } else if (right) {
      node->right = 0;
      node = right;
    } else {
      struct tree *above = node->above;
      free(node);
      node = above;
    }
  }
  return 0;
}
