// A local array filled by a loop of fixed length.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a[8];
  for (int i = 0; i < 8; i++)
    a[i] = 2 * i;
  int k = __VERIFIER_nondet_int();
  if (k >= 0 && k < 7 && a[k] == 12)
    reach_error();
  return 0;
}
