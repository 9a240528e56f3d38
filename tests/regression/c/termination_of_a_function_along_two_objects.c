// chcverify: --timeout 120 --property termination --entry same
// Each access is within its object, and these are smaller than the distance between them: so both pointers have limits.
int same(const char *a, const char *b) {
  while (*a && *a == *b) {
    a++;
    b++;
  }
  return *a == *b;
}
