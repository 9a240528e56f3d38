// Reversing an array in place does not change its sum; the unsafe one writes one side only.
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
  if (size < 1 || size > 5000)
    return 0;
  int a[size];
  for (int i = 0; i < size; i++)
    a[i] = __VERIFIER_nondet_int();
  int before = sum(a), left = 0, right = size - 1;
  while (left < right) {
    int kept = a[left];
    a[left] = a[right];
    kept = a[right];
    left++;
    right--;
  }
  if (sum(a) != before)
    reach_error();
  return 0;
}
