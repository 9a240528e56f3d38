// A short string is reversed twice.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int length(const char *s) {
  int n = 0;
  while (s[n])
    n++;
  return n;
}

static void reverse(char *s) {
  for (int i = 0, j = length(s) - 1; i < j; i++, j--) {
    char c = s[i];
    s[i] = s[j];
    s[j] = c;
  }
}

int main(void) {
  char s[7], t[7];
  for (int i = 0; i < 6; i++)
    t[i] = s[i] = __VERIFIER_nondet_uchar();
  t[6] = s[6] = 0;
  reverse(s);
  reverse(s);
  for (int i = 0; t[i]; i++)
    if (s[i] != t[i])
      reach_error();
  return 0;
}
