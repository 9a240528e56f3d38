// Rotating an array does not change its sum; the unsafe one loses the first element.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int size;

int sum(int *a) {
  long long total = 0;
  for (int i = 0; i < size; i++)
    total += a[i];
  return total;
}

int main(void) {
  size = __VERIFIER_nondet_int();
  if (size < 2 || size > 5000)
    return 0;
  int a[size];
  for (int i = 0; i < size; i++)
    a[i] = __VERIFIER_nondet_int();
  int before = sum(a), first = a[0];
  for (int i = 1; i < size; i++)
    a[i - 1] = a[i];
  a[size - 1] = first;
  if (sum(a) != before)
    reach_error();
  return 0;
}
