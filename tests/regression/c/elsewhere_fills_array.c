// chcverify: --timeout 60
// The whole object changes, not only the element that is pointed to.
#include <assert.h>
void fill(unsigned char *from, int count);
static void receive(unsigned char *buffer) { fill(buffer + 2, 3); }
int main(void) {
  unsigned char buffer[8] = {0};
  receive(buffer);
  assert(buffer[4] != 200);
  return 0;
}
