// chcverify: --timeout 60 --engine bmc
// The value does not matter, but the run does not come so far.
extern void reach_error(void);
int main(void) {
  volatile int zero = 0;
  int rest = 7 % zero;
  reach_error();
  return rest;
}
