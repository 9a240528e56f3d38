// chcverify: --engine spacer --timeout 600
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int twice(int n) { return n + n; }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 0 && n < 1000 && twice(twice(n)) != 4 * n)
    reach_error();
  return 0;
}
