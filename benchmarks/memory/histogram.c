// Safe: Values from 0 to 9 are counted, all others are left out before the index is used.
extern int __VERIFIER_nondet_int(void);
static unsigned counts[10];

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value < 0 || value >= 10)
      continue;
    counts[value]++;
  }
  return counts[0] > 5;
}
