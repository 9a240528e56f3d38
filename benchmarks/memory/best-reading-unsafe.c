// Unsafe (uninitialised): The largest of the readings that count. Where none counts, the largest was never written.
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
  return best > 100;
}
