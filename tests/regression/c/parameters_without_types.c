// chcverify: --timeout 60
// Parameters of an old definition that no declaration names are of type int.
extern void reach_error(void);
int less(int, int);
int less(a, b) { return a - b; }
int call(f, a) int (*f)(); { return f(a, 1); }
int main(void) {
  if (less(3, 1) != 2 || call(less, 5) != 4) reach_error();
  return 0;
}
