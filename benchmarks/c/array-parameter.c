// The callee writes the caller's array, at any address in it.
extern void abort(void);
void reach_error(void) { abort(); }

void fill(int a[], int from, int to, int value) {
  for (int i = from; i < to; i++)
    a[i] = value;
}
int main(void) {
  int a[6];
  fill(a, 0, 6, 1);
  fill(a + 2, 0, 2, 7);
  if (a[1] != 1 || a[2] != 7 || a[3] != 7 || a[4] != 1)
    reach_error();
  return 0;
}
