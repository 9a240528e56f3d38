// Below zero comes the largest value.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  unsigned d = a - b;
  if (d + b != a)
    reach_error();
  if (a < b && d < 1)
    reach_error();
  return 0;
}
