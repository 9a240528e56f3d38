// chcverify: --timeout 120
// A process has one number (POSIX getpid).
#include <assert.h>
#include <unistd.h>

int main(void) {
  int first = getpid();
  assert(first > 0 && getpid() == first);
  return 0;
}
