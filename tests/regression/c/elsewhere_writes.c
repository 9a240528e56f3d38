// chcverify: --timeout 60
// Another file may write what it gets a pointer to.
#include <assert.h>
void measure(int *celsius, int sensor);
int main(void) {
  int celsius = 20;
  measure(&celsius, 1);
  assert(celsius == 20);
  return 0;
}
