// chcverify: --timeout 60
// The part of a condition that is not modelled ends no run in which the other part decides.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  int x = __VERIFIER_nondet_int(), y;
  y = x == 3 ? ({ __asm__("nop"); 1; }) : 2;
  if (x == 4 || ({ __asm__("nop"); 1; })) reach_error();
  return y;
}
