// chcverify: --timeout 60
extern void reach_error(void);
extern int __VERIFIER_nondet_int();
counter, limit = 3;
table[4];
static twice(x) { return 2 * x; }
extern far();
add(x, y, z)
  int x;
  char z;
{
  counter++;
  return x + y + z;
}
signed wide(p, n) int *p; unsigned char n; { return p[n]; }
main()
{
  int r = add(1, 2, 260);
  table[3] = 5;
  if (r != 7 || counter != 1 || limit != 3 || twice(4) != 8 || wide(table, 259) != 5) reach_error();
  return 0;
}
