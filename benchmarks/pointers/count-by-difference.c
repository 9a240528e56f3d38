// Safe: The length is the difference of two pointers; the walk ends at the address behind the last element.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a[20];
  int *end = a;
  while (end != a + 20 && __VERIFIER_nondet_int()) {
    *end = 3;
    ++end;
  }
  long count = end - a;
  check(count >= 0 && count <= 20);
  int sum = 0;
  for (int *p = a; p < end; ++p)
    sum += *p;
  check(sum == 3 * count);
  return 0;
}
