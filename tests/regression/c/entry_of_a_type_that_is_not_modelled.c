// chcverify: --entry scaled --property undefined-behaviour
double scaled(long double _Complex z, int factor) { return factor / 2; }
int other(int x) { return x; }
