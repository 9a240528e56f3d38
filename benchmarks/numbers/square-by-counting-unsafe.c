// Unsafe (unreach-call): as square-by-counting.c, but for: unsigned i = 1
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), count = 0;
  for (unsigned i = 1; i < n; i++)
    for (unsigned j = 0; j < n; j++)
      count++;
  check(count == n * n);
  return 0;
}
