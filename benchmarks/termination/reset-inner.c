// Ends: (n - i, n - j) falls lexicographically.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 1000, i = 0, j = 0;
  while (i < n) {
    if (j < n) j++;
    else {
      j = 0;
      i++;
    }
  }
  return 0;
}
