// chcverify: --timeout 60 --property undefined-behaviour,termination --entry sum
// Where undefined behaviour is looked for, too, it is a violation.
int sum(const int *a, unsigned n) {
  unsigned total = 0;
  for (unsigned i = 0; i < n; i++) total += (unsigned)a[i];
  return (int)total;
}
