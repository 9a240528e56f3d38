// An array is filled, copied and read at a place that the environment chooses.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int a[50000], b[50000];

int main(void) {
  for (int i = 0; i < 50000; i++)
    a[i] = 7;
  for (int i = 0; i < 50000; i++)
    b[i] = a[i] + 1;
  int k = __VERIFIER_nondet_int();
  if (k > 40000 && k < 50000 && b[k] == 8)
    reach_error();
  return 0;
}
