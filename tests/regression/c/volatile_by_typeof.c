// chcverify: --volatile fresh --timeout 60
#include <assert.h>
__typeof__(volatile int) flag;
int main(void) {
  flag = 1;
  assert(flag == 1);
  return 0;
}
