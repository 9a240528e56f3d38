// chcverify: --property no-overflow
extern int __VERIFIER_nondet_int(void);
void reach_error(void) {}

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x < 1000 && x > -1000)
    x = x * x + 1;
  if (x > 2147483646)
    reach_error(); /* of no concern here */
  else
    x++;
  return 0;
}
