// chcverify: --timeout 60
// A call of what the bytes of a pointer to data say is not the end of the run.
extern void reach_error(void);
static int increment(int x) { return x + 1; }
int main(void) {
  int (*p)(int);
  *(void **)(&p) = (void *)increment;
  if (p(3) != 5) reach_error();
  return 0;
}
