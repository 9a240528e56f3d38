// The identities of two's complement.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = __VERIFIER_nondet_uint(), y = __VERIFIER_nondet_uint();
  if ((x ^ y) != (x | y) - (x & y))
    reach_error();
  if (~x + 1 != -x)
    reach_error();
  if (x && ((x & -x) & ((x & -x) + 1)))
    reach_error();
  return 0;
}
