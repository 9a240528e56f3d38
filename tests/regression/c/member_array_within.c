// chcverify: --property undefined-behaviour --timeout 60
// Indices inside of the arrays, and an address behind the last element.
extern unsigned __VERIFIER_nondet_uint(void);
struct s {
  int a[4];
  int b[2][3];
};
static struct s g;
int main(void) {
  unsigned n = __VERIFIER_nondet_uint(), m = __VERIFIER_nondet_uint();
  if (n >= 4 || m >= 3) return 0;
  g.a[n] = 1;
  g.b[n / 2][m] = 2;
  int *end = &g.a[n + 1], sum = 0;
  for (int *p = g.a; p != end; p++) sum += *p;
  int *rows = g.b[2];
  return sum == 1 && rows != g.b[0] ? 0 : 1;
}
