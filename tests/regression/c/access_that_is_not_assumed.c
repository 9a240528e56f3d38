// chcverify: --timeout 60 --property undefined-behaviour --entry sum
// The assumption is about one element less.
_Bool __ESBMC_r_ok(const void *, unsigned long);
void __ESBMC_assume(_Bool);

int sum(int *p, unsigned n) {
  int total = 0;
  __ESBMC_assume(__ESBMC_r_ok(p, n * 4ul));
  for (unsigned i = 0; i <= n; i++) total ^= p[i];
  return total;
}
