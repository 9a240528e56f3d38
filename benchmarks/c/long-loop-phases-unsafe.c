// A counter of two phases: at first it grows by three, then by one.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned x = 0, y = 0;
  while (x < 300000) {
    if (x < 100000)
      y += 3;
    else
      y++;
    x++;
  }
  if (y == 500000)
    reach_error();
  return 0;
}
