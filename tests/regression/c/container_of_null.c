// chcverify: --property unreach-call --timeout 60
/* Gcc finds the record around a member at null to lie before null. */
extern void reach_error(void);
struct link { struct link *next; };
struct item { int a; struct link l; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - (unsigned long)&((type *)0)->member))

int main(void) {
  struct item x = {1, {0}};
  struct item *p = container_of(&x.l, struct item, l);
  p = container_of(p->l.next, struct item, l);
  if (p != 0) reach_error();
  return 0;
}
