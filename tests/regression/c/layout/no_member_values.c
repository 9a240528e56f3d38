// chcverify: --engine spacer --timeout 30
// Enumerations, tagged records and lone types in a structure declare no members: initialisers pass them by.
extern void reach_error(void);
struct s {
  int first;
  enum { KIND = 5, OTHER };
  struct inner { int x, y; };
  int;
  int last;
};
struct s v = {10, 20};
struct inner w = {KIND, OTHER};
int main(void) {
  if (v.first != 10 || v.last != 20 || w.y != 6 || sizeof(struct s) != 8)
    reach_error();
  return 0;
}
