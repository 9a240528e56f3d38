// Two counters that begin at equal values by way of w == x.
// Loop invariant: y == z
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned int w = __VERIFIER_nondet_uint();
  unsigned int x = w;
  unsigned int y = w + 1;
  unsigned int z = x + 1;

  while (__VERIFIER_nondet_int()) {
    ++y;
    ++z;
  }
  if (y != z)
    reach_error();
  return 0;
}
