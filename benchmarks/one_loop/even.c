// A counter in steps of 2; wrapping at 2^32 keeps it even.
// Loop invariant: x % 2 == 0
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int x = 0;

  while (__VERIFIER_nondet_int()) {
    x += 2;
  }
  if (x % 2 != 0)
    reach_error();
  return 0;
}
