// Two string comparisons, by loops of different shape, have the same sign.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int compare(const char *a, const char *b) {
  while (*a && *a == *b)
    a++, b++;
  return (unsigned char)*a - (unsigned char)*b;
}

static int difference(const char *a, const char *b) {
  for (int i = 0;; i++) {
    char x = a[i], y = b[i];
    if (x != y)
      return x < y ? -1 : 1;
    if (!x)
      return 0;
  }
}

int main(void) {
  char a[5], b[5];
  for (int i = 0; i < 4; i++) {
    a[i] = __VERIFIER_nondet_uchar();
    b[i] = __VERIFIER_nondet_uchar();
  }
  a[4] = b[4] = 0;
  int x = compare(a, b), y = difference(a, b);
  if ((x < 0) != (y < 0) || (x > 0) != (y > 0))
    reach_error();
  return 0;
}
