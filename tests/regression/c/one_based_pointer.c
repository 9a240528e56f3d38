// chcverify: --timeout 60 --property division --entry f --array-bounds object
// A pointer before an array, indexed from 1: runs go on behind the accesses, which are in the array.
void f(int *cells, unsigned n) {
  int *before = cells - 1;
  if (n < 1) return;
  for (unsigned i = 1; i <= n; i++) before[i] = 1;
  int rest = before[n] - 1;
  rest = 10 / rest;
}
