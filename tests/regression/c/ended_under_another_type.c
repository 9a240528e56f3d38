// chcverify: --timeout 60
extern void reach_error(void);
extern void abort(void);
typedef int (*operation)(int, int);
static int plus(int x, int y) { return x + y; }
int main(void) {
  operation operations[2] = {plus, (operation)abort};
  if (operations[0](1, 2) != 3) reach_error();
  operations[1](3, 4);
  reach_error();
}
