// Five numbers are sorted by exchanges.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x[5];
  for (int i = 0; i < 5; i++)
    x[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4 - i; j++)
      if (x[j] > x[j + 1]) {
        int t = x[j];
        x[j] = x[j + 1];
        x[j + 1] = t;
      }
  for (int i = 0; i < 4; i++)
    if (x[i] > x[i + 1])
      reach_error();
  return 0;
}
