// Ends.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), total = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = i; j > 0; j--) total++;
  return (int)total;
}
