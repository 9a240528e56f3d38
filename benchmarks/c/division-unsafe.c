// Quotients are truncated, remainders have the sign of the dividend.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a = __VERIFIER_nondet_int();
  if (-7 / 2 != -3 || -7 % 2 != -1 || 7 % -2 != 1)
    reach_error();
  if (a % 3 < 0)
    reach_error();
  if (a / 4 * 4 + a % 4 != a)
    reach_error();
  return 0;
}
