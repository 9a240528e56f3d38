// Every value but zero becomes 1.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  _Bool a = __VERIFIER_nondet_int(), b = 256, c = 0.5;
  a += 2;
  if (a != 1 || b != 1 || c != 0)
    reach_error();
  return 0;
}
