// chcverify: --engine spacer-global@blocks --timeout 600
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int();
  int d = __VERIFIER_nondet_int(), e = __VERIFIER_nondet_int(), f = __VERIFIER_nondet_int();
  while (__VERIFIER_nondet_int()) {
    int open = 0;
    if (a > 0) open = open + 1;
    if (b > 0) open = open + 2;
    if (c > 0) open = open + 4;
    if (d > 0) open = open + 8;
    if (e > 0) open = open + 16;
    if (f > 0) open = open + 32;
    if (f > 0) open = open - 32;
    if (e > 0) open = open - 16;
    if (d > 0) open = open - 8;
    if (c > 0) open = open - 4;
    if (b > 0) open = open - 2;
    if (a > 0) open = open - 1;
    if (open != 0) reach_error();
  }
  return 0;
}
