// chcverify: --timeout 120 --property termination --entry skip
// On 'x' the loop goes on without moving the pointer, in bounds for ever.
const char *skip(const char *p) {
  while (*p) {
    if (*p == 'x') continue;
    p++;
  }
  return p;
}
