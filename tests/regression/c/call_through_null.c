// chcverify: --property undefined-behaviour --all-checks --timeout 60 --config none
// The callback is null where n is 7. What `ask` returns is not known, and decides nothing about t.
int ask(int n);
int main(void) {
  int n = ask(0), t[4] = {0};
  int (*f)(int) = n == 7 ? 0 : ask;
  int r = f(n);
  t[r & 3] = 1;
  return 0;
}
