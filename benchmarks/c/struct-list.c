// A list on the heap.
#include <stdlib.h>
void reach_error(void) { abort(); }

struct node { int value; struct node *next; };
int main(void) {
  struct node *head = 0;
  for (int i = 0; i < 3; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->value = i;
    fresh->next = head;
    head = fresh;
  }
  int sum = 0;
  for (struct node *n = head; n; n = n->next)
    sum = 10 * sum + n->value;
  if (sum != 210)
    reach_error();
  return 0;
}
