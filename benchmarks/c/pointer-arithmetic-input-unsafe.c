// An index that is an input.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a[4] = {0, 0, 0, 0};
  unsigned i = __VERIFIER_nondet_uint() % 4;
  int *p = a + i;
  *p = 5;
  if (a[0] + a[1] + a[2] + a[3] != 5 || a[3] == 5)
    reach_error();
  return 0;
}
