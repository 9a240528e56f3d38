// The sum of 1 to n.
extern void abort(void);
void reach_error(void) { abort(); }

static int sum(int n) { return n <= 0 ? 0 : n + sum(n - 1); }
int main(void) {
  if (sum(4) != 10)
    reach_error();
  return 0;
}
