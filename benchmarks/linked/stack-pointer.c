// Safe: Functions get the address of the variable that holds the top of a stack.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *below; int data; };

static void push(struct node **top, int data) {
  struct node *node = malloc(sizeof *node);
  if (!node) exit(1);
  node->data = data;
  node->below = *top;
  *top = node;
}

static int pop(struct node **top) {
  struct node *node = *top;
  int data = node->data;
  *top = node->below;
  free(node);
  return data;
}

int main(void) {
  struct node *top = 0;
  int sum = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) push(&top, 1);
    else if (top) sum = pop(&top);
  }
  while (top) sum = pop(&top);
  return sum;
}
