// A swap through pointers.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static void swap(int *a, int *b) {
  int t = *a;
  *a = *b;
  *b = t;
}
int main(void) {
  int x = __VERIFIER_nondet_int(), y = __VERIFIER_nondet_int(), u = x, v = y;
  swap(&x, &y);
  if (x != v || y != v)
    reach_error();
  return 0;
}
