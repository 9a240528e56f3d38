// Bubble sort: all that is compared lies inside the array.
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
  for (int end = length; end > 1; end--)
    for (int i = 0; i + 1 < end; i++)
      check(0 <= i && i + 1 < length);
  return 0;
}
