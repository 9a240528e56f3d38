/* What linear arithmetic expresses, with values that are read: 3, 5, -7 and 11 in turn. */
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int(), d = __VERIFIER_nondet_int();
  out_0 = c / 2; out_1 = c / -2; out_2 = c % 3; out_3 = c % -3; out_4 = (c | 8) + (a | 1) * 100; out_5 = (c & 12) + (d & 6) * 100; out_6 = (c ^ 5) + (b ^ 7) * 100;
  out_7 = c >> 1; out_8 = c << 3; unsigned u = c; out_9 = u / 2; out_10 = u % 10; short s = d * 10000; out_11 = s; out_12 = a + 2147483647; out_13 = (unsigned char)(c - 300); out_14 = ~c; out_15 = -c; out_16 = u > 5; out_17 = c < a;
  finish();
}
