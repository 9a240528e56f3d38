// Differences, comparison and steps inside one array.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int a[5] = {1, 2, 3, 4, 5};
  int *p = a, *end = a + 5;
  int sum = 0;
  while (p < end)
    sum += *p++;
  if (sum != 15 || p - a != 5 || *--p != 5 || &p[-2] - a != 2)
    reach_error();
  return 0;
}
