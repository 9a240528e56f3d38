// A counter in a loop, and its decrement.
extern int __VERIFIER_nondet_int(void);

int main(void) {
  int n = __VERIFIER_nondet_int(), i = 2147483600;
  while (i < n)
    i++;
  while (i > 0)
    i -= 10;
  return 0;
}
