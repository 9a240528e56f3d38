// Ends: (retries, left) falls lexicographically.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned retries = __VERIFIER_nondet_uint(), left = __VERIFIER_nondet_uint(), size = __VERIFIER_nondet_uint();
  while (left > 0) {
    if (__VERIFIER_nondet_int() && retries > 0) {
      retries--;
      left = size;
    } else left--;
  }
  return 0;
}
