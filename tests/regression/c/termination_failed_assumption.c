// chcverify: --timeout 60 --property termination
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 0); // waits for ever if it fails
  while (x > 0) x--;
  return 0;
}
