// Safe: The largest of the readings that count: a flag says whether there has been one, and without one nobody
// reads the largest.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int best, found = 0;
  for (int i = 0; i < 20; i++) {
    int reading = __VERIFIER_nondet_int();
    if (reading > 10 && (!found || reading > best)) {
      best = reading;
      found = 1;
    }
  }
  return found ? best > 100 : 0;
}
