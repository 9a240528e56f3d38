// chcverify: --timeout 60
// A pointer to a pointer of another type writes p: the function that is called has not the type that the call expects.
extern void reach_error(void);
static int increment(int x) { return x + 1; }
static long twice(long x) { return 2 * x; }
int main(void) {
  long (*p)(long) = twice;
  *(int (**)(int)) & p = increment;
  if (p(3) == 4) reach_error();
  return 0;
}
