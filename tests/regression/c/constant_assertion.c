// chcverify: --timeout 60
// An assertion that the front end decides is reached all the same.
#include <assert.h>
int main(void) {
  assert(sizeof(char) == 1);
  return 0;
}
