// chcverify: --timeout 60
// Nothing is guessed about what such a pointer points to.
extern int *place(int number);
extern void reach_error(void);
int main(void) {
  int x = 1, *p = place(3);
  if (p == 0) return 0;
  *p = 2;
  if (x != 1) reach_error();
  return 0;
}
