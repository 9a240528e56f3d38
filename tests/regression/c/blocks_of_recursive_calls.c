// chcverify: --property valid-memsafety --timeout 120
// A block is held by a local variable of a function that calls itself; both links of a node lead to the same block,
// which is released twice. Where lost blocks are looked for, the local has no value when the function begins.
#include <stdlib.h>
struct node { struct node *left, *right; };

static struct node *make(int depth) {
  if (depth == 0)
    return 0;
  struct node *node = malloc(sizeof *node);
  node->left = make(depth - 1);
  node->right = node->left;
  return node;
}

static void drop(struct node *node) {
  if (node) {
    drop(node->left);
    drop(node->right);
    free(node);
  }
}

int main(void) {
  drop(make(2));
  return 0;
}
