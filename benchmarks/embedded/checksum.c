// A bytewise checksum with carry folded back stays below 65536.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int sum = 0, length = __VERIFIER_nondet_uint();
  for (unsigned int i = 0; i < length; i++) {
    unsigned int byte = __VERIFIER_nondet_uint() & 255u;
    sum += byte;
    if (sum > 65535u)
      sum -= 65535u;
    if (sum > 65535u)
      reach_error();
  }
  return 0;
}
