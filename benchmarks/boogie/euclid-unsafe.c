// As euclid, but what is ensured does not hold for the largest numbers.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int();
  if (x < 1 || x > 1000 || y < 1 || y > 1000)
    return 0;
  while (x != y) {
    if (x > y)
      x -= y;
    else
      y -= x;
  }
  check(1 <= x && x <= 999);
  return 0;
}
