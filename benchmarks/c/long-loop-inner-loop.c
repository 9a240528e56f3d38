// A short loop within a long one, and a violation after all of it.
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int sum = 0;
  for (int i = 0; i < 20000; i++)
    for (int j = 0; j < 4; j++)
      sum++;
  if (sum != 80000)
    reach_error();
  return 0;
}
