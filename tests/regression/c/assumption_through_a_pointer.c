// chcverify: --timeout 60
#include <assert.h>
extern void __VERIFIER_assume(int);
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
struct interface { void (*require)(int); int (*any)(void); unsigned char (*octet)(void); };
static const struct interface verifier = {__VERIFIER_assume, __VERIFIER_nondet_int, __VERIFIER_nondet_uchar};
int main(void) {
  int x = verifier.any();
  verifier.require(x > 2);
  verifier.require(x < 300);
  assert(x > 2 && verifier.octet() < 256);
  return 0;
}
