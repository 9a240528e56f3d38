// Unsafe (valid-deref): Whether there is a second node is not asked: of a list with one node, the null
// pointer is read.
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
  a.next = a.next->next;
  return a.next == &c;
}
