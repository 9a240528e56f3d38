// A counter in steps of 8, so that its last three bits stay 101;
// here the third iteration adds 12, and bit 2 is lost.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int x = 5;

  while (__VERIFIER_nondet_int()) {
    x += 8;
    if (x == 29)
      x += 4;
  }
  if ((x & 5) != 5)
    reach_error();
  return 0;
}
