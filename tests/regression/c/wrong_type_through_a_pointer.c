// chcverify: --timeout 60
extern void reach_error(void);
static long long wide(long long x) { return x; }
static int (*narrow)(int) = (int (*)(int))wide;
int main(void) {
  if (narrow(3) != 3) reach_error();
  return 0;
}
