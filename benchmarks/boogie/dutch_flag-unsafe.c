// As dutch_flag, but red may overtake white.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int length = __VERIFIER_nondet_int();
  if (length < 0)
    return 0;
  int red = 0, white = 0, blue = length;
  while (white < blue) {
    int colour = __VERIFIER_nondet_int();
    if (colour == 0) {
      check(0 <= red && red < length);
      red++;
    } else if (colour == 1) {
      white++;
    } else {
      blue--;
      check(0 <= blue && blue < length);
    }
  }
  check(red <= white);
  return 0;
}
