// chcverify: --property valid-memsafety --timeout 60
// The jump leaves the scope of the array, which ends there (C11 6.2.4p7), before it is declared again.
extern int __VERIFIER_nondet_int(void);
int main(void) {
  int length = 1, *old = 0;
  int k = __VERIFIER_nondet_int();
again:
  if (old && k > 1000000000 && k % 100003 == 77777)
    *old = 2;
  int array[length];
  old = array;
  *old = 3;
  if (length++ < 3)
    goto again;
  return 0;
}
