// Does not end: with size 2 the rest is set back for ever, for nothing.
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void) {
  unsigned retries = 3, left = __VERIFIER_nondet_uint(), size = __VERIFIER_nondet_uint();
  while (left > 0) {
    if (__VERIFIER_nondet_int() && retries > 0) {
      if (left == 1) retries--;
      left = size;
    } else left--;
  }
  return 0;
}
