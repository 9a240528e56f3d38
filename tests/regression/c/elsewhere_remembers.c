// chcverify: --timeout 60
// What an earlier call was given may be changed by a later one.
#include <assert.h>
void watch(int *place), step(void);
int main(void) {
  int value = 1;
  watch(&value);
  value = 2;
  step();
  assert(value == 2);
  return 0;
}
