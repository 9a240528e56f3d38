// chcverify: --property bounds --timeout 60
// An address two elements behind the last one must not be computed (C11 6.5.6, paragraph 8).
struct s {
  int a[4];
  int b[4];
};
int main(void) {
  struct s s = {{0}};
  int n = 5;
  int *p = &s.a[n];
  return p == 0;
}
