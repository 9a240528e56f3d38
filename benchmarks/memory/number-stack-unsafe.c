// Unsafe (valid-deref): A number is taken even from the empty stack: it is read before the array.
extern int __VERIFIER_nondet_int(void);
static int numbers[10];

int main(void) {
  int top = 0, last = 0;
  while (__VERIFIER_nondet_int()) {
    if (__VERIFIER_nondet_int()) {
      if (top < 10)
        numbers[top++] = __VERIFIER_nondet_int();
    } else {
      last = numbers[--top];
    }
  }
  return last == 3;
}
