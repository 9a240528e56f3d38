// chcverify: --timeout 300
// What lies beyond a member is not the same member of the next record.
extern void reach_error(void);
struct point { int x, y; } s[2];

int main(void) {
  int *p = &s[0].x;
  if (p + 1 != &s[1].x) reach_error();
  return 0;
}
