// chcverify: --engine spacer --timeout 600
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void) {
  int x = 0;
  while (x < 10)
    x = x + 2;
  if (x != 10)
    reach_error();
  return 0;
}
