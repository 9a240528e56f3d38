// chcverify: --timeout 60
// The bytes of an address that is computed from a null pointer are not those of a null pointer: with gcc it is 4 here.
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  char *none = 0;
  int k = __VERIFIER_nondet_int();
  if (k != 4)
    return 0;
  union {
    char *address;
    unsigned long number;
  } both;
  both.address = &none[k];
  assert(both.number == 4);
  return 0;
}
