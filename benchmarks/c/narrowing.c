// Assignment keeps the low bits.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  unsigned char c = x;
  signed char s = x;
  if (c != (x & 255))
    reach_error();
  if (s < -128 || s > 127 || (c >= 128) != (s < 0) || (x == 384 && s != -128))
    reach_error();
  return 0;
}
