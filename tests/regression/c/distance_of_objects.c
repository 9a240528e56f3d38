// chcverify: --timeout 60 --engine bmc
// The distance of two objects is not known: neither a proof nor a violation may rest on it.
extern void reach_error(void);
static int left[4], right[4];
int main(void) {
  if (&right[0] - &left[0] == 8) reach_error();
  return 0;
}
