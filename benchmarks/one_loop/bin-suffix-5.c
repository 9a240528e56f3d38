// A counter in steps of 8, so that its last three bits stay 101.
// Loop invariant: (x & 5) == 5
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int x = 5;

  while (__VERIFIER_nondet_int()) {
    x += 8;
  }
  if ((x & 5) != 5)
    reach_error();
  return 0;
}
