// chcverify: --timeout 60 --property termination
extern int __VERIFIER_nondet_int(void);
static int f(int n) { return n <= 0 ? 0 : 1 + f(n - 1); }
int main(void) { return f(__VERIFIER_nondet_int()) < 0; }
