// chcverify: --timeout 120
// The argument of the recursive call reads memory; another value is read after the call has returned.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int product(int *to, int n, int more) {
    if (n <= 0)
        return more;
    int local = *to;
    int *at = &local;
    if (*at > 1)
        *at *= *to;
    else
        local <<= 1;
    return product(to, n - 1, *to * more) + *to;
}

int main(void) {
    int cell = 2;
    int total = product(&cell, 2, 1);
    int later = __VERIFIER_nondet_int();
    if (total > 3 && later > 0)
        reach_error();
    return 0;
}
