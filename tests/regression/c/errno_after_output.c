// chcverify: --timeout 60
/* Output may fail, and then says why in errno. */
#include <assert.h>
#include <errno.h>
#include <stdio.h>
int main(void) {
  errno = 0;
  puts("text");
  assert(errno == 0);
  return 0;
}
