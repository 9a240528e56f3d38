// chcverify: --entry entry --property division
// The name of the called function is in parentheses.
int half(int);
int (half)(int a) { return 10 / a; }
int other(void) { return 1; }
int entry(int a) { return half(a); }
