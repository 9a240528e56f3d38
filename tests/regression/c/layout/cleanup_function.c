// chcverify: --engine spacer --timeout 30
// A function that runs at the end of the block is refused by name.
extern void reach_error(void);
static void leave(int *x) { if (*x == 1) reach_error(); }
int main(void) {
  int x __attribute__((cleanup(leave))) = 1;
  return 0;
}
