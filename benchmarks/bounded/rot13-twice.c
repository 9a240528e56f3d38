// Rot13, done twice, changes nothing.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

static char rot13(char c) {
  if (c >= 'a' && c <= 'z')
    return (c - 'a' + 13) % 26 + 'a';
  if (c >= 'A' && c <= 'Z')
    return (c - 'A' + 13) % 26 + 'A';
  return c;
}

int main(void) {
  char s[8];
  for (int i = 0; i < 8; i++)
    s[i] = __VERIFIER_nondet_uchar();
  for (int i = 0; i < 8; i++)
    if (rot13(rot13(s[i])) != s[i])
      reach_error();
  return 0;
}
