// chcverify: --property undefined-behaviour --all-checks --timeout 60 --config none
// What `ext` has made of a.next is not known: it may be &a, so the last index is not proved. b is not given to anyone.
struct node { int v; struct node *next; };
void ext(struct node *p);
int main(void) {
  struct node a, b;
  int t[4] = {0, 1, 2, 3};
  a.v = 1;
  a.next = 0;
  b.v = 3;
  b.next = 0;
  ext(&a);
  a.v = 2;
  if (a.next) a.next->v = 100;
  t[b.v] = 1;
  t[a.v] = 1;
  return 0;
}
