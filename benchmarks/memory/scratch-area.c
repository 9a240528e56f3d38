// Safe: The scratch area on the stack has one byte for each of the digits, at most ten.
#include <alloca.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned number = __VERIFIER_nondet_uint();
  char *digits = alloca(10);
  int count = 0;
  do {
    digits[count++] = '0' + number % 10;
    number /= 10;
  } while (number);
  return count;
}
