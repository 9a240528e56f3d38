// Ends: 3 is prime to 256, so that each value comes.
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void) {
  unsigned char x = __VERIFIER_nondet_uchar();
  while (x != 7) x += 3;
  return 0;
}
