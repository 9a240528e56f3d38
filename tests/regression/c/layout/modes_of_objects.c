// chcverify: --engine spacer --timeout 30
// mode on objects, members and typedefs changes their width and keeps their sign.
extern void reach_error(void);
typedef unsigned int octet __attribute__((mode(QI)));
typedef int word __attribute__((mode(__word__)));
struct s { int h __attribute__((mode(HI))); octet o; };
int main(void) {
  octet o = 300;
  struct s v = {-1, 255};
  float d __attribute__((mode(DF))) = 0.1;
  if (o == 44 && sizeof(word) == 8 && sizeof v == 4 && v.h == -1 && v.o == 255 && d == 0.1)
    reach_error();
  return 0;
}
