// chcverify: --timeout 120
// The time determines its parts, which are not modelled: no violation depends on them.
#include <assert.h>
#include <time.h>

int main(void) {
  time_t first = 0;
  struct tm *parts = gmtime(&first);
  assert(parts != 0);
  assert(parts->tm_year == 70);
  return 0;
}
