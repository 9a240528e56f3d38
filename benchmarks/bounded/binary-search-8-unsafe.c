// Binary search in eight sorted numbers finds what is there.
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x[8];
  unsigned at = __VERIFIER_nondet_uint();
  x[0] = __VERIFIER_nondet_int();
  for (int i = 1; i < 8; i++) {
    x[i] = __VERIFIER_nondet_int();
    if (x[i] <= x[i - 1])
      return 0;
  }
  if (at >= 8)
    return 0;
  int key = x[at], low = 0, high = 8;
  while (low < high) {
    int middle = (low + high) / 2;
    if (x[middle] < key)
      low = middle + 1;
    else
      high = middle - (middle == 6);
  }
  if (low != (int)at)
    reach_error();
  return 0;
}
