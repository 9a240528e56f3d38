// chcverify: --timeout 60
// CBMC's quantifier over a range is a loop over it.
extern int __VERIFIER_nondet_int(void);
struct four {
  unsigned char part[4];
};
int main(void) {
  struct four x = {{0}};
  int n = __VERIFIER_nondet_int();
  __CPROVER_assert((__CPROVER_forall { int i; (i >= 0 && i < sizeof(x)) ==> ((const unsigned char *)&x)[i] == 0 }), "zero");
  if (n < 0 || n > 3) return 0;
  x.part[n] = 5;
  __CPROVER_assert(!__CPROVER_forall { int i; (i >= 0 && i < 4) ==> x.part[i] == 0 }, "not zero");
  return 0;
}
