// chcverify: --property undefined-behaviour --all-checks --undefined-functions havoc --timeout 20 -v
// The pointer may lead to a function of another file. That `other`, also of another file, cannot be called without an
// argument says nothing about that one, so that what stands behind the call is not proved.
extern void other(int);
extern void (*hook)();
int main(void) {
  int *q = 0;
  void (*call)() = hook;
  if (call && call != (void (*)())other) {
    call();
    int x = *q;
  }
  return 0;
}
