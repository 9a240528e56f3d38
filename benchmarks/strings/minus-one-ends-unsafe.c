// Unsafe (valid-deref): A hundred numbers leave no room for the last one.
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void) {
  int numbers[100], count = __VERIFIER_nondet_int(), large = 0;
  if (count < 0 || count > 100)
    return 0;
  for (int i = 0; i < count; i++)
    numbers[i] = __VERIFIER_nondet_int();
  numbers[count] = -1;
  for (int *at = numbers; *at != -1; at++)
    large += *at > 3;
  return large;
}
