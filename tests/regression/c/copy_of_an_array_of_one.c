// chcverify: --timeout 60
// A record is copied from bytes; one of its members is an array of one element.
#include <assert.h>
#include <string.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
struct part {
  char name[1];
  int count;
};
int main(void) {
  struct part source, copy;
  unsigned char *bytes = (unsigned char *)&source;
  source.count = 3;
  bytes[0] = __VERIFIER_nondet_uchar() & 1;
  copy = source;
  assert(copy.name[0] < 2 && copy.count == 3);
  return 0;
}
