// What is assumed holds from there on.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

extern void __VERIFIER_assume(int);
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  __VERIFIER_assume(x > 0 && y > x && y < 100);
  if (x + y < 4)
    reach_error();
  return 0;
}
