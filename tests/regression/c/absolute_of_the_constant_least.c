// chcverify: --timeout 60 --property no-overflow
// __builtin_abs(INT_MIN) is no constant, but a call that overflows like abs(INT_MIN).
int main(void) { return __builtin_abs(-2147483647 - 1) > 5 && __builtin_abs(-5) == 5; }
