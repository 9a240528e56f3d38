// chcverify: --timeout 60 --property termination
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void assume_abort_if_not(int c) { if (!c) abort(); }
int main(void) {
  int x = __VERIFIER_nondet_int(), y = 1;
  assume_abort_if_not(x > 0 && x < 1000);
  while (y != x) y++;
  while (1) assume_abort_if_not(0);
}
