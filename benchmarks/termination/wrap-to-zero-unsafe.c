// Does not end: an odd x stays odd.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned x = __VERIFIER_nondet_uint();
  while (x != 0) x += 2;
  return 0;
}
