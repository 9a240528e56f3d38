// A new element of a heap moves up: the index of the father is right.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void check(int condition) {
  if (!condition)
    reach_error();
}
int main(void) {
  int last = __VERIFIER_nondet_int();
  if (last < 1)
    return 0;
  int at = last;
  while (at > 1) {
    int father = at / 2;
    check(1 <= father && father < last);
    if (__VERIFIER_nondet_int())
      break;
    at = father;
  }
  check(1 <= at);
  return 0;
}
