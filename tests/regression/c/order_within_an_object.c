// chcverify: --timeout 60
// Within one object the order is that of the elements, wherever the object is.
extern void reach_error(void);
static short table[9], other[9];
int main(void) {
  short *low = table + 2, *high = table + 7;
  if (high <= low || high - low != 5) reach_error();
  if (other + 3 < other) reach_error();
  return 0;
}
