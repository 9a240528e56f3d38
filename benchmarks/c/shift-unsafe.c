// Right shifts of negative values keep the sign.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int x = __VERIFIER_nondet_int();
  if (x >> 31 != (x < 0 ? -1 : 0))
    reach_error();
  if (x > 0 && x < 1000 && (x << 3) != x * 9)
    reach_error();
  if (0x80000000u >> 31 != 1)
    reach_error();
  return 0;
}
