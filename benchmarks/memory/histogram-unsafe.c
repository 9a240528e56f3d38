// Unsafe (valid-deref): The value 10 is counted, too, beyond the array.
extern int __VERIFIER_nondet_int(void);
static unsigned counts[10];

int main(void) {
  while (__VERIFIER_nondet_int()) {
    int value = __VERIFIER_nondet_int();
    if (value < 0 || value > 10)
      continue;
    counts[value]++;
  }
  return counts[0] > 5;
}
