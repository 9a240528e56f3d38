// chcverify: --property undefined-behaviour --timeout 60
extern unsigned __VERIFIER_nondet_uint(void);
struct s {
  int a[4];
  int b[4];
};
static struct s g;
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  if (n > 5) return 0;
  g.a[n] = 1;
  return 0;
}
