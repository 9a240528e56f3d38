// Two pairs of counters; each iteration moves one pair;
// here z misses the step that brings y to 7.
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int w = __VERIFIER_nondet_uint();
  unsigned int x = w;
  unsigned int y = __VERIFIER_nondet_uint();
  unsigned int z = y;

  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      ++w;
      ++x;
    } else {
      --y;
      if (y != 7)
        --z;
    }
  }
  if (w != x || y != z)
    reach_error();
  return 0;
}
