// chcverify: --timeout 60
#include <assert.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char (*const octet)(void) = __VERIFIER_nondet_uchar;
int main(void) {
  assert(octet() != 255);
  return 0;
}
