// An invariant that joins both counters.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned n = __VERIFIER_nondet_uchar(), total = 0;
  for (unsigned i = 0; i < n; i++)
    for (unsigned j = 0; j < 2; j++)
      total++;
  if (total > 3)
    reach_error();
  return 0;
}
