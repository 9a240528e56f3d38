// chcverify: --timeout 60
// A function of another file changes no constants, whether they are given to it or have external linkage.
#include <assert.h>
void unknown(const int *p);
const int limit = 10;
typedef const int fixed;
int main(void) {
  const int local = 3;
  static fixed table[2] = {4, 5};
  unknown(&local);
  unknown(&table[1]);
  assert(limit == 10);
  assert(local == 3 && table[1] == 5);
  return 0;
}
