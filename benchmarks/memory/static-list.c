// Safe: Removal of the second node of a list of static nodes, if there is one.
extern int __VERIFIER_nondet_int(void);
struct node { struct node *next; int value; };

int main(void) {
  static struct node a, b, c;
  a.next = 0;
  if (__VERIFIER_nondet_int()) {
    a.next = &b;
    b.next = &c;
    c.next = 0;
  }
  if (a.next)
    a.next = a.next->next;
  return a.next == &c;
}
