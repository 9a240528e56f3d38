// An accumulator that doubles, and that nothing ever makes differ from 0;
// here one input lets the accumulator leave 0.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int s = 0;

  while (__VERIFIER_nondet_int()) {
    s = s + s;
    if (__VERIFIER_nondet_int() == 42)
      s = 1;
  }
  if (s != 0)
    reach_error();
  return 0;
}
