// Case ranges, and ?: without a second operand.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static int digit(int c) {
  switch (c) {
  case '0' ... '9':
    return c - '0';
  case 'a' ... 'f':
    return c - 'a' + 10;
  default:
    return -1;
  }
}
int main(void) {
  int c = __VERIFIER_nondet_int(), calls = 0;
  int d = digit(c);
  if (d < -1 || d > 15)
    reach_error();
  if ((++calls ?: 5) != 1 || calls != 1)
    reach_error();
  return 0;
}
