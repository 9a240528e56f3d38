// chcverify: --timeout 60
// The union holds a function that is called as one of another type: not modelled, whatever is asserted behind the call.
extern void reach_error(void);
static int increment(int x) { return x + 1; }
static long twice(long x) { return 2 * x; }
union functions {
  int (*narrow)(int);
  long (*wide)(long);
};
int main(void) {
  union functions held;
  held.wide = twice;
  held.narrow = increment;
  if (held.wide(3) == 4) reach_error();
  return 0;
}
