// chcverify: --engine spacer --timeout 30
// A lone type between bit-fields does not end their unit.
extern void reach_error(void);
struct s {
  unsigned a : 3;
  unsigned;
  unsigned b : 5;
};
int main(void) {
  union { struct s s; unsigned char octet; } u = {{0, 0}};
  u.s.b = 31;
  if (sizeof(struct s) == 4 && u.octet == 0xf8)
    reach_error();
  return 0;
}
