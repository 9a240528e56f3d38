// The shifted bit must not reach the sign.
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n >= 32)
    return 0;
  return (1 << n) == 8;
}
