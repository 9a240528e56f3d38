// Effects from left to right, the value is the last.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int i, j, n = 0;
  for (i = 0, j = 10; i < j; i++, j--)
    n++;
  int last = (i = 3, j = i * 2, i + j);
  if (n != 5 || last != 15)
    reach_error();
  return 0;
}
