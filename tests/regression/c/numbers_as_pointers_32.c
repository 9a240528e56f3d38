// chcverify: --timeout 60 --data-model ILP32
// Pointers of 32 bits cut numbers of 64 bits.
extern void reach_error(void);
extern long long __VERIFIER_nondet_longlong(void);
extern unsigned int __VERIFIER_nondet_uint(void);
int main(void) {
  long long x = __VERIFIER_nondet_longlong();
  unsigned u = __VERIFIER_nondet_uint();
  void *p = (void *)(int)x, *q = (void *)u;
  if ((int)p != (int)x || (unsigned)q != u) reach_error();
  if ((long long)(unsigned)q != u) reach_error();
  if (q == (void *)-1 && u != 0xffffffffU) reach_error();
  return 0;
}
