// The members share their storage.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

union number { int i; unsigned u; };
int main(void) {
  union number n;
  n.i = __VERIFIER_nondet_int();
  if (n.i < 0 && n.u <= 0x7fffffffu)
    reach_error();
  return 0;
}
