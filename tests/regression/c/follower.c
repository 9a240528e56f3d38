// chcverify: --engine df-segments@cells --timeout 600 --data-model ILP32
extern void reach_error(void);

int main(void) {
  int odd[500], all[1000]; // of any values
  int from = 1, to = 0;    // no test bounds `to`
  while (from < 1000) {
    odd[to] = all[from];
    from = from + 2;
    to = to + 1;
  }
  for (from = 1, to = 0; from < 1000; from = from + 2, to = to + 1)
    if (odd[to] != all[2 * to + 1])
      reach_error();
  return 0;
}
