// An accumulator that doubles, and that nothing ever makes differ from 0.
// Loop invariant: s == 0
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int s = 0;

  while (__VERIFIER_nondet_int()) {
    s = s + s;
  }
  if (s != 0)
    reach_error();
  return 0;
}
