// Safe: A string keeps its end while its letters are changed.
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

int main(void) {
  char text[32];
  int length = __VERIFIER_nondet_int();
  if (length < 0 || length > 31)
    return 0;
  for (int i = 0; i < length; i++) {
    char next = __VERIFIER_nondet_char();
    text[i] = next ? next : ' ';
  }
  text[length] = 0;
  int found = 0;
  while (text[found]) {
    text[found] = 'x';
    found++;
  }
  if (found > length)
    reach_error();
  return 0;
}
