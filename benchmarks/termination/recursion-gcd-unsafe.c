// Does not end: gcd(1, 0) calls itself.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned gcd(unsigned a, unsigned b) { return a == b ? a : a > b ? gcd(a - b, b) : gcd(a, b - a); }
int main(void) { return (int)gcd(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()); }
