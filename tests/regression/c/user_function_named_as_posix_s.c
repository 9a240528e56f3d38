// chcverify: --timeout 30
#include <assert.h>
int send(int *out);
void sync(void);

int main(void) {
  int v = 0;
  sync();
  send(&v);
  assert(v == 0);
  return 0;
}
