// chcverify: --property bounds,null,free,lifetime --one-verdict --timeout 60
// Integers as wide as pointers that only carry pointers: variables, parameters and results.
void *malloc(unsigned long size);
void free(void *block);
int __VERIFIER_nondet_int(void);
static unsigned long number(int *p) { return (unsigned long)p; }
static int *pointer(unsigned long word) {
  if (!word) return 0;
  return (int *)word;
}
int main(void) {
  unsigned long word = 0;
  if (__VERIFIER_nondet_int()) word = number(malloc(2 * sizeof(int)));
  long other = (long)word;
  if (other != 0) {
    int *p = pointer((unsigned long)other);
    p[1] = 3;
    free(p);
  }
  return 0;
}
