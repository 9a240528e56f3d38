// chcverify: --property leak --timeout 60
#include <stdlib.h>
struct n {
  struct n *l, *r;
};
static struct n *mk(struct n *l, struct n *r) {
  struct n *t = malloc(sizeof *t);
  t->l = l;
  t->r = r;
  return t;
}
int main(void) {
  struct n *t = mk(mk(0, 0), mk(0, 0));
  free(t->l);
  t->l = t->r;
  t->r = 0;
  free(t);
  return 0;
}
