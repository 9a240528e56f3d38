// chcverify: --timeout 60
// A pointer of another file.
#include <assert.h>
extern int *foreign;
int own = 1;
int main(void) {
  if (foreign) *foreign = 2;
  assert(own == 1);
  return 0;
}
