// chcverify: --timeout 60
// gcc does not call step(1), which C leaves open.
extern void reach_error(void);
static int order;
static int step(int x) {
  order = order * 10 + x;
  return x;
}
int main(void) {
  struct { int a, b; } p = {.a = step(1), .a = step(2)};
  if (order != 2 || p.a != 2) reach_error();
  return 0;
}
