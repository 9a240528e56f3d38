// chcverify: --engine congruences --timeout 600 --data-model ILP32
extern short __VERIFIER_nondet_short(void);
extern void reach_error(void);

// Whether n * n wraps around depends on bounds of n, which the loop's guard gives.
int main(void) {
  short last = __VERIFIER_nondet_short();
  int n = 0, cube = 0, step = 1, change = 6;
  while (n <= last) {
    if (change != 6 * n + 6 || step != 3 * n * n + 3 * n + 1 || cube != n * n * n) reach_error();
    n = n + 1;
    cube = cube + step;
    step = step + change;
    change = change + 6;
  }
  return 0;
}
