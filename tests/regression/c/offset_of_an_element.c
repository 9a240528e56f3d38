// chcverify: --timeout 60
// gcc's offsetof takes an index that is not constant; CBMC's questions about overflow.
#include <assert.h>
#include <stddef.h>
extern unsigned __VERIFIER_nondet_uint(void);
struct text {
  long length;
  short units[];
};
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 100) return 0;
  assert(offsetof(struct text, units[n + 1]) == 10 + 2 * n);
  assert(__CPROVER_overflow_plus(4294967200u, n) == (n > 95));
  assert(!__CPROVER_overflow_mult(1ul << 32, (unsigned long)n) && __CPROVER_overflow_minus(0u, n) == (n > 0));
  __CPROVER_precondition(n <= 100, "as assumed");
  return 0;
}
