// Exchanging two elements does not change the average; the unsafe one overwrites one by the other.
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
void reach_error(void) { abort(); }

#define SIZE 50000
int a[SIZE];

int average(void) {
  long long total = 0;
  for (int i = 0; i < SIZE; i++)
    total += a[i];
  return total / SIZE;
}

int main(void) {
  int left = __VERIFIER_nondet_int(), right = __VERIFIER_nondet_int();
  if (left < 0 || left >= SIZE || right < 0 || right >= SIZE)
    return 0;
  for (int i = 0; i < SIZE; i++)
    a[i] = __VERIFIER_nondet_int();
  int before = average(), kept = a[left];
  a[left] = a[right];
  a[right] = kept;
  if (average() != before)
    reach_error();
  return 0;
}
