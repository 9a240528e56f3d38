// An automaton that cycles through four states and counts the visits of two of them.
// Provable with k = 4 and the invariant state >= 1; for no k without it.
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
    if (state == 1 && left != right)
      reach_error();
  }
  return 0;
}
