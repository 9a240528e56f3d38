// Paths in a grid, counted without remembering any: many calls, few that differ.
extern void abort(void);
void reach_error(void) { abort(); }

static unsigned paths(int right, int down) {
  if (right == 0 || down == 0)
    return 1;
  return paths(right - 1, down) + paths(right, down - 1);
}
int main(void) {
  if (paths(8, 8) % 9)
    reach_error();
  return 0;
}
