// Two indices fill an array from both ends; the unsafe one stops when they are neighbours.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 1 || n > 30000)
    return 0;
  int a[n];
  int low = 0, high = n - 1;
  while (low < high) {
    a[low] = 7;
    a[high] = 7;
    low++;
    high--;
  }
  for (int i = 0; i < n; i++)
    if (a[i] != 7)
      reach_error();
  return 0;
}
