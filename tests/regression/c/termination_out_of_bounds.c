// chcverify: --timeout 20 --property termination
extern int __VERIFIER_nondet_int(void);
int a[4] = {1, 2, 3, 4};
int main(void) {
  int i = 0;
  while (a[i] != 0) i++; // reads behind the array: what is there decides
  return 0;
}
