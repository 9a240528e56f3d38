// chcverify: --engine spacer --timeout 30
// Built-in functions in constant expressions, alignments of expressions, sizes of void.
extern void reach_error(void);
struct s { char c; double d; };
_Static_assert(__builtin_types_compatible_p(int[], int[3]) && !__builtin_types_compatible_p(int, long), "types");
_Static_assert(__builtin_clz(1) == 31 && __builtin_popcountll(255) == 8 && __builtin_ffs(0) == 0, "bits");
_Static_assert(__builtin_strlen("four") == 4 && __builtin_bswap16(1) == 256, "folded");
static int table[__builtin_offsetof(struct s, d)] = {[1 ... 3] = 7, [6] = __builtin_choose_expr(1, 2, "x")};
static const int whole = (int)(2.5 * 2);
int main(void) {
  struct s v;
  char room[4];
  void *p = room;
  p += 2;
  if (_Alignof(v.d) != 8 || _Alignof v != 8 || sizeof(void) != 1 || sizeof(*p) != 1 || (char *)p - room != 2)
    reach_error();
  if (sizeof table != 32 || table[0] != 0 || table[3] != 7 || table[6] != 2 || whole != 5)
    reach_error();
  return 0;
}
