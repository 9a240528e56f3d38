// Safe: A tree is released by means of a stack of the nodes that are still to be released.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct tree { struct tree *left, *right; };
struct item { struct tree *node; struct item *below; };

static struct item *push(struct tree *node, struct item *below) {
  struct item *item = malloc(sizeof *item);
  if (!item) abort();
  item->node = node;
  item->below = below;
  return item;
}

int main(void) {
  struct tree *root = 0;
  while (__VERIFIER_nondet_int()) {
    struct tree *node = malloc(sizeof *node);
    if (!node) abort();
    if (__VERIFIER_nondet_int()) {
      node->left = root;
      node->right = 0;
    } else {
      node->left = 0;
      node->right = root;
    }
    root = node;
  }
  struct item *stack = root ? push(root, 0) : 0;
  while (stack) {
    struct item *item = stack;
    struct tree *node = item->node;
    stack = item->below;
    free(item);
    if (node->left) stack = push(node->left, stack);
    if (node->right) stack = push(node->right, stack);
    free(node);
  }
  return 0;
}
