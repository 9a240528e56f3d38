// chcverify: --timeout 300
// The run repeats a call 90 million times: iterations are skipped from points where no call is in execution.
void reach_error(void) {}
unsigned next(unsigned n) { return n + 3; }

int main(void) {
  unsigned n = 1;
  while (n < 270000000) n = next(n);
  if (n % 2 == 0) return 0;
  if (n == 270000001) reach_error();
  return 0;
}
