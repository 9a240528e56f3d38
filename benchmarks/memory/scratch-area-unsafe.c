// Unsafe (valid-deref): Numbers of ten digits need one byte more than the area has.
#include <alloca.h>
extern unsigned __VERIFIER_nondet_uint(void);

int main(void) {
  unsigned number = __VERIFIER_nondet_uint();
  char *digits = alloca(9);
  int count = 0;
  do {
    digits[count++] = '0' + number % 10;
    number /= 10;
  } while (number);
  return count;
}
