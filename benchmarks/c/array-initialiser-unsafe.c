// Designators, nested braces, the zeros that are not written.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a[6] = {1, [3] = 4, 5};
  int m[2][3] = {{1}, {2, 3}};
  if (a[1] || a[2] || a[3] != 4 || a[4] != 5 || a[5] != 5)
    reach_error();
  if (m[0][1] || m[1][0] != 2 || m[1][1] != 3 || m[1][2])
    reach_error();
  return 0;
}
