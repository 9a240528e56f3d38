// Unsafe (unreach-call): as insert-by-memmove.c, but for: while (at < n && a[at] < key && at < 2)
extern int __VERIFIER_nondet_int(void);
extern void *memmove(void *, const void *, unsigned long);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

int main(void) {
  int a[8], n = 0;
  while (n < 8 && __VERIFIER_nondet_int()) {
    int key = __VERIFIER_nondet_int();
    int at = 0;
    while (at < n && a[at] < key && at < 2)
      at++;
    memmove(a + at + 1, a + at, (n - at) * sizeof(int));
    a[at] = key;
    n++;
  }
  if (n > 1)
    check(a[0] <= a[1]);
  if (n == 4)
    check(a[2] <= a[3]);
  return 0;
}
