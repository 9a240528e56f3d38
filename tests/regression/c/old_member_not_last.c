// chcverify: --property undefined-behaviour --timeout 60
// An array of one element stands for any number of them only at the end of the whole.
struct inner {
  int count;
  char text[1];
};
struct outer {
  struct inner inner;
  char after[3];
};
int main(void) {
  struct outer o = {{0}};
  o.inner.text[2] = 'x';
  return 0;
}
