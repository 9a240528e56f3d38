// chcverify: --timeout 60
#include <assert.h>
static int base_count = 3;
extern int count __attribute__((alias("base_count")));
static int base(int x) { return 2 * x; }
int doubled(int x) __attribute__((alias("base")));
int also_doubled(int x) __attribute__((weak, alias("base")));
__attribute__((weak)) int kept(void) { return 9; }
int main(void) {
  count = 8;
  assert(base_count == 8);
  assert(doubled(4) == 8 && also_doubled(5) == 10 && kept() == 9);
  int (*f)(int) = doubled;
  assert(f == also_doubled && f == base && f(1) == 2 && kept);
  return 0;
}
