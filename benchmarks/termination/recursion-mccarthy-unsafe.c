// Does not end: f(90) calls f(101) = 90 and then f(90).
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

static int f(int n) { return n > 100 ? n - 11 : f(f(n + 11)); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n < 0 || n > 100) abort();
  return f(n);
}
