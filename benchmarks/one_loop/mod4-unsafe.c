// A counter in steps of 4; wrapping at 2^32 keeps it a multiple of 4;
// here the third iteration adds 6.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int x = 0;

  while (__VERIFIER_nondet_int()) {
    x += 4;
    if (x == 12)
      x += 2;
  }
  if (x % 4 != 0)
    reach_error();
  return 0;
}
