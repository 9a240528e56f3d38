// chcverify: --timeout 60
// gcc evaluates designated initialisers in the order of the members.
extern void reach_error(void);
struct pair { int a, b; };
static int order;
static int step(int x) {
  order = order * 10 + x;
  return x;
}
int main(void) {
  struct pair p = {.b = step(1), .a = step(2)};
  if (order != 21 || p.a != 2 || p.b != 1) reach_error();
  struct pair q[2] = {[1].a = step(6), [0].b = step(7), [1].b = step(8)};
  if (order != 21768 || q[1].a != 6 || q[0].b != 7 || q[0].a != 0) reach_error();
  return 0;
}
