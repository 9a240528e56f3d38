// chcverify: --engine spacer --timeout 30
// A typedef can raise and lower an alignment; a name made from it keeps that, a pointer to it has its own.
extern void reach_error(void);
typedef long wide __attribute__((aligned(32)));
typedef long loose __attribute__((aligned(2)));
typedef wide again;
typedef wide *pointer;
struct first { char c; again a; };
struct second { char c; loose a; };
struct third { char c; pointer a; };
struct fourth { char c; __typeof__(again) a; };
int main(void) {
  if (sizeof(struct first) == 64 && sizeof(struct second) == 10 && sizeof(struct third) == 16 &&
      sizeof(struct fourth) == 64 && _Alignof(again) == 32)
    reach_error();
  return 0;
}
