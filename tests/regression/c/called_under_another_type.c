// chcverify: --timeout 60
/* Whatever the pointer's type, calling the function is the violation. */
extern void reach_error(void);
static int quiet(int x) { return x; }
static int (*handler)(int) = quiet;
int main(void) {
  void *kept = (void *)reach_error;
  handler = (int (*)(int))kept;
  return handler(1);
}
