// A pointer to the variable or the field that holds the next node.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct node { int key; struct node *next; };

static void insert(struct node **at, struct node *n) {
  while (*at && (*at)->key < n->key)
    at = &(*at)->next;
  n->next = *at;
  *at = n;
}

int main(void) {
  struct node a = {__VERIFIER_nondet_int()}, b = {__VERIFIER_nondet_int()}, *head = 0;
  insert(&head, &a);
  insert(&head, &b);
  if (head->next->next || head->key > head->next->key || head == head->next)
    reach_error();
  return 0;
}
