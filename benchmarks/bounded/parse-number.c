// A parser of decimal numbers of up to four digits.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int parse(const char *s, int *value) {
  int n = 0, v = 0;
  while (s[n] >= '0' && s[n] <= '9') {
    v = 10 * v + (s[n] - '0');
    n++;
  }
  *value = v;
  return n;
}

int main(void) {
  char s[5];
  int v;
  for (int i = 0; i < 4; i++)
    s[i] = __VERIFIER_nondet_uchar();
  s[4] = 0;
  int n = parse(s, &v);
  if (n > 4 || v < 0 || v > 9999 || (n < 3 && v > 99))
    reach_error();
  return 0;
}
