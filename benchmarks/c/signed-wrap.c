// Signed overflow wraps around.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x == 2147483647 && x + 1 != -x - 1)
    reach_error();
  return 0;
}
