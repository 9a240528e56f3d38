// Ends: McCarthy's function; 101 - n falls, as f(n + 11) > n.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

static int f(int n) { return n > 100 ? n - 10 : f(f(n + 11)); }
int main(void) {
  int n = __VERIFIER_nondet_int();
  if (n > 1000000) abort();
  return f(n);
}
