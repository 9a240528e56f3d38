// chcverify: --timeout 60
extern void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
    __attribute__((__noreturn__));
int main(void) {
  int x = 3;
  ((x == 4) ? (void)(0) : __assert_fail("x == 4", "prog.c", 5, __func__));
  return 0;
}
