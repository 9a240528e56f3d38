// Safe: A stack of at most 10 numbers: nothing is taken from it where it is empty, nothing put where it is
// full.
extern int __VERIFIER_nondet_int(void);
static int numbers[10];

int main(void) {
  int top = 0, last = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      if (top < 10)
        numbers[top++] = __VERIFIER_nondet_int();
    } else if (top > 0) {
      last = numbers[--top];
    }
  }
  return last == 3;
}
