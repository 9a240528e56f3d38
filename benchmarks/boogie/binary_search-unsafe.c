// As binary_search, but the end of the array counts as an element.
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
  int low = 0, high = length;
  while (low <= high) {
    int middle = low + (high - low) / 2, order = __VERIFIER_nondet_int();
    check(0 <= middle && middle < length);
    if (order < 0)
      low = middle + 1;
    else if (order > 0)
      high = middle;
    else
      break;
  }
  return 0;
}
