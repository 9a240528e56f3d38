// chcverify: --engine spacer --timeout 30
// GNU's old forms of designators.
extern void reach_error(void);
struct point { int x, y; } p = {y: 2, x: 1};
int row[4] = {[2] 5, 6};
int main(void) {
  if (p.x != 1 || p.y != 2 || row[2] != 5 || row[3] != 6)
    reach_error();
  return 0;
}
