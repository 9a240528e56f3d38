// chcverify: --engine spacer --timeout 30
// mode gives an enumeration the width of a machine word, narrower and wider than int.
extern void reach_error(void);
enum __attribute__((mode(HI))) short_one { A = -3, B };
enum __attribute__((mode(DI))) long_one { C, D };
struct both {
  char c;
  enum short_one s;
  enum long_one l;
};
int main(void) {
  struct both b;
  b.s = (enum short_one)65533;
  if (sizeof(struct both) == 16 && b.s == A && sizeof C == 4)
    reach_error();
  return 0;
}
