// Ends: the remainder is smaller than the divisor.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned gcd(unsigned a, unsigned b) { return b == 0 ? a : gcd(b, a % b); }
int main(void) { return (int)gcd(__VERIFIER_nondet_uint(), __VERIFIER_nondet_uint()); }
