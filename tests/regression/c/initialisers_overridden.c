// chcverify: --timeout 60
// What a later designator overrides in part: with gcc nothing is left of a record that an expression gave, but of one
// in braces, or of a compound literal in a static object, the rest.
extern void reach_error(void);
struct pair { int a, b; };
struct whole { struct pair p; int z; };
static struct pair source = {1, 2};
static struct whole constant = {.p = (struct pair){5, 6}, .p.b = 9};
int main(void) {
  struct whole copied = {.p = source, .p.b = 9};
  if (copied.p.a != 0 || copied.p.b != 9) reach_error();
  struct whole literal = {.p = (struct pair){5, 6}, .p.a = 9, .p.b = 7};
  if (literal.p.a != 9 || literal.p.b != 7) reach_error();
  struct whole braces = {.p = {1, 2}, .p.b = 9};
  if (braces.p.a != 1 || braces.p.b != 9) reach_error();
  struct pair range[3] = {[0 ... 2] = source, [1].a = 7};
  if (range[1].a != 7 || range[1].b != 0 || range[2].b != 2) reach_error();
  if (constant.p.a != 5 || constant.p.b != 9) reach_error();
  return 0;
}
