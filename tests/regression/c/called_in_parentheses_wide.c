// chcverify: --entry entry --property division
// What the called function returns has no plain name.
__int128 (f)(int a) { return 10 / a; }
int other(void) { return 1; }
int entry(int a) { return (int)f(a); }
