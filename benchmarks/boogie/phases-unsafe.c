// As phases, but the second loop ends one step too early.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int steps = __VERIFIER_nondet_int(), at = 0, way = 0;
  if (steps < 0 || steps > 1000000)
    return 0;
  while (at < steps) {
    at++;
    way += 2;
  }
  while (at > 1) {
    at--;
    way -= 2;
  }
  check(way == 0);
  return 0;
}
