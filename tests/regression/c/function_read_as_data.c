// chcverify: --timeout 300
// The number of a function is the address of no object.
extern void reach_error(void);
static void callee(void) {}
int cells[4];

int main(void) {
  union { void (*function)(void); int *data; } both;
  both.function = callee;
  if (both.data != &cells[0] && both.data != &cells[1] && both.data != &cells[2]) reach_error();
  return 0;
}
