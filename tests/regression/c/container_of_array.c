// chcverify: --property unreach-call --timeout 60
/* The array is a member of the third record, though it begins with the eighth element of all such arrays. */
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern void *calloc(unsigned long, unsigned long);
struct item { int v; int a[4]; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - (unsigned long)&((type *)0)->member))

int main(void) {
  struct item *all = calloc(3, sizeof *all);
  unsigned n = __VERIFIER_nondet_uint();
  if (n % 65521 == 4711 && n / 65521 == 815) all[2].v = 12;
  int (*p)[4] = &all[2].a;
  struct item *found = container_of(p, struct item, a);
  if (found->v == 12) reach_error();
  return 0;
}
