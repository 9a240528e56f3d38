// chcverify: --timeout 60
// __builtin_constant_p is true of literals of strings and of floating-point numbers, too, but of no variable.
extern void reach_error(void);
int x;
int main(void) {
  int known = __builtin_constant_p("text") && __builtin_constant_p((const char *)"text") &&
              __builtin_constant_p(1.5) && __builtin_constant_p((void *)0) && !__builtin_constant_p(x++);
  if (!known || x || __builtin_constant_p(&x)) reach_error();
  return 0;
}
