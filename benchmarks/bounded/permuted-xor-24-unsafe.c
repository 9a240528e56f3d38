// The exclusive or of numbers does not depend on their order.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x[24];
  unsigned forward = 0, backward = 0;
  for (int i = 0; i < 24; i++)
    x[i] = __VERIFIER_nondet_uint();
  for (int i = 0; i < 24; i++)
    forward ^= x[i];
  for (int i = 23; i > 0; i--)
    backward ^= x[i];
  if (forward != backward)
    reach_error();
  return 0;
}
