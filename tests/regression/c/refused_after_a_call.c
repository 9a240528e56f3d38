// chcverify: --property undefined-behaviour --timeout 60
// What is lowered of a statement before a construct in it is refused leaves nothing behind.
int f(int x) {
  int *p = &x;
  return *p;
}
int main(void) {
  int n = f(2), a[4];
  int(*p)[n] = (f(n), &a);
  return (*p)[0];
}
