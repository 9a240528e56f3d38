// The right operand is evaluated only if it decides.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int calls = 0, x = __VERIFIER_nondet_int() != 0;
  int a = x && ++calls;
  int b = x || ++calls;
  int c = x ? calls++ : (calls += 2, calls);
  if (a != x || b != 1 || (x ? calls != 2 : calls != 3) || c != (x ? 1 : 3))
    reach_error();
  return 0;
}
