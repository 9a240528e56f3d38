// The body runs before the first test, continue goes to the test.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int i = 10, n = 0;
  do {
    n++;
    if (n == 1)
      continue;
    i = 0;
  } while (i-- > 9 && n < 5);
  if (n != 2 || i != -1)
    reach_error();
  return 0;
}
