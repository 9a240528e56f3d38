// chcverify: --timeout 600 --property termination
// No run has an array of more bytes than there are addresses: no index wraps around to its begin.
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned int n = __VERIFIER_nondet_uint();
  unsigned int i;
  int a[n];
  for (i = 0; i < n; i++)
    a[i] = 1;
  return 0;
}
