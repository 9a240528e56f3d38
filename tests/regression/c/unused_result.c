// chcverify: --timeout 300
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern int without_body(int);

int main(void) {
  int x = __VERIFIER_nondet_int();
  __VERIFIER_nondet_int();
  without_body(x);
  if (x == 17)
    reach_error();
  return 0;
}
