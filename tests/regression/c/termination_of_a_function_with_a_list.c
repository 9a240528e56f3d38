// chcverify: --timeout 60 --property termination --entry walk
// A call with a block that leads to itself has no undefined behaviour, and does not end.
struct node { struct node *next; };
static struct node ring = {&ring};
int walk(int again) {
  int steps = 0;
  for (struct node *p = again ? &ring : 0; p; p = p->next) steps ^= 1;
  return steps;
}
