// Long is as wide as the data model says.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  long long x = __VERIFIER_nondet_int();
  x = x + 1;
  return x == 0;
}
