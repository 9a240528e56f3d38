// Safe: A parser returns how far it came; the caller compares that pointer with others into the same text.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition) {
  if (!condition)
    reach_error();
}

extern char __VERIFIER_nondet_char(void);

static const char *number(const char *p, const char *end, int *value) {
  *value = 0;
  while (p != end && *p >= '0' && *p <= '9' && *value < 1000)
    *value = *value * 10 + (*p++ - '0');
  return p;
}

int main(void) {
  char text[6];
  for (int i = 0; i < 6; i++)
    text[i] = __VERIFIER_nondet_char();
  int value;
  const char *p = number(text, text + 6, &value);
  check(p >= text && p <= text + 6);
  check(value <= 9999);
  check(p != text || value == 0);
  return 0;
}
