// A counter in steps of 2 from 1; wrapping at 2^32 keeps it odd;
// here the fourth iteration adds 1.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int x = 1;

  while (__VERIFIER_nondet_int()) {
    x += 2;
    if (x == 9)
      --x;
  }
  if (x % 2 != 1)
    reach_error();
  return 0;
}
