// chcverify: --timeout 60 --property termination
extern int __VERIFIER_nondet_int(void);
static int f(int n) { return n == 7 ? f(n) : n; }
int main(void) { return f(__VERIFIER_nondet_int()); }
