// chcverify: --timeout 60
// By the rules of the competition, which are those of a program that mentions reach_error, only that counts.
extern void __assert_fail(const char *text, const char *file, unsigned line, const char *function)
    __attribute__((__noreturn__));
extern void reach_error(void);
int main(void) {
  int x = 3;
  ((x == 4) ? (void)(0) : __assert_fail("x == 4", "prog.c", 5, __func__));
  return 0;
}
