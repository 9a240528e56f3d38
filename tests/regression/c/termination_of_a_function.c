// chcverify: --timeout 60 --property termination --entry sum
// The verdict is not about calls with undefined behaviour: those for which a is too small.
int sum(const int *a, unsigned n) {
  unsigned total = 0;
  for (unsigned i = 0; i < n; i++) total += (unsigned)a[i];
  return (int)total;
}
