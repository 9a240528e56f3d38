// The error term of a drawn line: it is a linear combination of the coordinates.
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void) {
  int x = 0, y = 0, error = 0;
  while (x < 300) {
    error += 7;
    x++;
    if (error >= 10) {
      error -= 10;
      y++;
    }
    if (7 * x - 10 * y != error || error < 0 || error >= 10)
      reach_error();
  }
  return 0;
}
