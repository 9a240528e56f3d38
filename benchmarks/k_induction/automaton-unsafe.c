// The same automaton may well be left in state 4. To leave the state as it was before the loop, because the
// condition of the loop does not mention it, would make the induction "prove" this.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int left = 0, right = 0;
  int state = 1;

  while (__VERIFIER_nondet_int()) {
    if (state == 1)
      left++;
    else if (state == 2)
      right++;
    state++;
    if (state == 5)
      state = 1;
  }
  if (state >= 4)
    reach_error();
  return 0;
}
