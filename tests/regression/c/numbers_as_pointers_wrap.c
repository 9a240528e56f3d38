// chcverify: --timeout 60
// Numbers that pointers hold: negative ones, those of unsigned types, sums that come back to 0, comparisons.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned long __VERIFIER_nondet_ulong(void);
struct entry {
  void *key;
  void *value;
};
static void *next(void *p) { return (void *)((unsigned long)p + 1); }
static void check(int holds) {
  if (!holds) reach_error();
}
int main(void) {
  int i = __VERIFIER_nondet_int();
  unsigned long u = __VERIFIER_nondet_ulong();
  struct entry e, copy;
  e.key = (void *)(long)i;
  e.value = (void *)u;
  copy = e;
  check((int)(long)copy.key == i);
  check((unsigned long)copy.value == u);
  check((copy.value == 0) == (u == 0));
  check((unsigned char)(unsigned long)copy.value == (unsigned char)u);
  check((_Bool)copy.key == (i != 0));
  void *all = (void *)-1L;
  check((unsigned long)all == 0xffffffffffffffffUL && all == (void *)0xffffffffffffffffUL);
  check(next(all) == 0 && !next(all));
  check((unsigned long)next(copy.value) > u);
  return 0;
}
