// chcverify: --engine spacer --timeout 600
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int n = __VERIFIER_nondet_int();
  int x = n * 2;
  if (n > 20 && x == 84)
    reach_error();
  return 0;
}
