// An array is reversed from both ends, which meet in the middle.
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
  int low = 0, high = length - 1;
  while (low < high) {
    check(0 <= low && high < length);
    low++;
    high--;
  }
  check(low == high || low == high + 1);
  return 0;
}
