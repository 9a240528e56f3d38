// Unsafe (valid-deref): The last end of an empty queue leads to the node that was taken out.
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int data; };
struct queue { struct node *first, *last; };

static int put(struct queue *queue, int data) {
  struct node *node = malloc(sizeof *node);
  if (!node) return 0;
  node->data = data;
  node->next = 0;
  if (queue->last) queue->last->next = node;
  else queue->first = node;
  queue->last = node;
  return 1;
}

static int take(struct queue *queue) {
  struct node *node = queue->first;
  int data = node->data;
  queue->first = node->next;
  free(node);
  return data;
}

int main(void) {
  struct queue *queue = malloc(sizeof *queue);
  if (!queue) return 0;
  queue->first = queue->last = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) put(queue, 1);
    else if (queue->first) take(queue);
  }
  while (queue->first) take(queue);
  free(queue);
  return 0;
}
