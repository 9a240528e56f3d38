// chcverify: --timeout 60
// C leaves open whether a variable is read before a call beside it that changes it. gcc reads it before where it never
// swaps the operands, and after the call otherwise.
extern void reach_error(void);
int g, cells[3] = {10, 11, 12}, *p = cells;
int set(int value) { return g = value; }
int step(void) {
  p++;
  return 1;
}
int before(int value) {
  g = value;
  return g - set(3);
}
int main(void) {
  if (before(64) != 61 || before(64) != 61) reach_error();
  g = 64;
  if (g / set(3) != 21) reach_error();
  g = 2;
  if (g << set(3) != 16 || g + set(9) != 18) reach_error();
  if (p[step()] != 11 || p != cells + 1) reach_error();
  p = cells;
  if (*(p + step()) != 11) reach_error();
  return 0;
}
