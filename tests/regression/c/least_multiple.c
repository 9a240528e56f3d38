// chcverify: --engine congruences --data-model ILP32 --timeout 600
// Two loops within a loop keep u * x + v * y = a * b.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
extern void reach_error(void);

int main(void) {
  unsigned int a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
  if (a == 0 || b == 0) abort();
  unsigned int x = a, y = b, u = b, v = 0;
  for (;;) {
    if (x * u + y * v != a * b) reach_error();
    if (x == y) break;
    while (x > y) { x -= y; v += u; }
    while (y > x) { y -= x; u += v; }
  }
  if (x * (u + v) != a * b) reach_error();
  return 0;
}
