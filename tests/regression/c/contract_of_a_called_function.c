// chcverify: --contracts --timeout 60
/*@ requires x > 0; ensures \result == x + 1; assigns \nothing; */
int f(int x) { return x + 2; }
int main(void) { int y = f(3); return y; }
