// chcverify: --property undefined-behaviour --all-checks --timeout 60 --config none
// The write through p is to a in each run that is followed; its clause has contents that an unknown pointer might change.
struct node { int v; struct node *next; };
int ask(struct node *p);
int main(void) {
  struct node a = {1, 0}, *p = &a;
  int t[4] = {0}, n = ask(&a);
  if (n == 1) p = a.next;
  if (p) p->v = 3;
  t[n] = 1;
  return 0;
}
