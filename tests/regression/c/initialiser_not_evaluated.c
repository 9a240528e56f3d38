// chcverify: --timeout 60
// gcc does not evaluate an initialiser that a later one overrides, which C leaves open; of a record that an expression
// gave, nothing is left once a part of it is given again.
extern void reach_error(void);
struct inner { int a, b; int c[3]; };
struct outer { struct inner s; int z; };
static int order;
static int step(int x) {
  order = order * 10 + x;
  return x;
}
static void expect(int wanted) {
  if (order != wanted) reach_error();
  order = 0;
}
int main(void) {
  struct { int a, b; } p = {.a = step(1), .a = step(2)};
  if (p.a != 2 || p.b != 0) reach_error();
  expect(2);
  struct inner q = {7, 8, {1, 2, 3}};
  struct inner r = {.a = step(1), .b = step(2), .a = step(3)};
  if (r.a != 3 || r.b != 2) reach_error();
  expect(32);
  int x[3] = {step(1), step(2), [0] = step(4), step(5)};
  if (x[0] != 4 || x[1] != 5 || x[2] != 0) reach_error();
  expect(45);
  struct outer t = {.s = (step(1), q), .s.b = step(2), .z = step(3)};
  if (t.s.a != 0 || t.s.b != 2 || t.s.c[1] != 0 || t.z != 3) reach_error();
  expect(23);
  struct outer u = {.s.b = step(2), .s = (step(1), q), .z = step(3)};
  if (u.s.a != 7 || u.s.b != 8 || u.s.c[1] != 2 || u.z != 3) reach_error();
  expect(13);
  struct outer v = {.s.a = step(1), .s.b = step(2), .s = {.c = {step(3)}}, .z = step(4)};
  if (v.s.a != 0 || v.s.b != 0 || v.s.c[0] != 3 || v.z != 4) reach_error();
  expect(34);
  int *first = (int[]){step(1) ? step(2) : step(3), [0] = step(4)};
  if (*first != 4) reach_error();
  expect(4);
  return 0;
}
