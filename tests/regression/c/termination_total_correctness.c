// chcverify: --timeout 600 --property undefined-behaviour,termination
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 50, i;
  int sum = 0;
  for (i = 0; i < n; i++)
    sum += 7; // no overflow: n is small
  return sum;
}
