// A sorting network for six numbers.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

static const unsigned char pairs[12][2] = {{0, 5}, {1, 3}, {2, 4}, {1, 2}, {3, 4}, {0, 3},
                                           {2, 5}, {0, 1}, {2, 3}, {4, 5}, {1, 2}, {2, 4}};

int main(void) {
  int x[6];
  for (int i = 0; i < 6; i++)
    x[i] = __VERIFIER_nondet_int();
  for (int i = 0; i < 12; i++) {
    int a = pairs[i][0], b = pairs[i][1];
    if (x[a] > x[b]) {
      int t = x[a];
      x[a] = x[b];
      x[b] = t;
    }
  }
  for (int i = 0; i < 5; i++)
    if (x[i] > x[i + 1])
      reach_error();
  return 0;
}
