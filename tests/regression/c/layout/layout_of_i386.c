// chcverify: --engine spacer --timeout 30 --data-model ILP32
// On i386 wide characters are long, lists of arguments are pointers, and bit-fields of long long may begin at 4 bytes.
extern void reach_error(void);
struct s { int a; long long b : 40; double d; };
int main(void) {
  if (_Generic(L'a', long : 1, default : 0) && sizeof(__builtin_va_list) == 4 && sizeof(struct s) == 20 &&
      _Alignof(long long) == 4 && __alignof__(long long) == 8)
    reach_error();
  return 0;
}
