// chcverify: --timeout 60
extern void reach_error(void);
static int one(void) { return 1; }
static int (*choose(void))(void) { return one; }
int number(void) __attribute__((ifunc("choose")));
int main(void) {
  if (number() != 1) reach_error();
  return 0;
}
