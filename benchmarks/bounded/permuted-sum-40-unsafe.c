// The sum of forty numbers does not depend on their order.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x[40];
  int forward = 0, strided = 0;
  for (int i = 0; i < 40; i++)
    x[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 40; i++)
    forward += x[i];
  for (int i = 0; i < 40; i++)
    strided += x[(i * 6) % 40];
  if (forward != strided)
    reach_error();
  return 0;
}
