// chcverify: --timeout 60
extern void reach_error(void);
static void visit(int from, int to, void (*each)(void)) {
  for (int i = from; i < to; i++) each();
}
static void nothing(void) {}
int main(void) {
  visit(0, 3, nothing);
  visit(5, 6, reach_error);
  return 0;
}
