// chcverify: --timeout 60
// The value of so many digits is not modelled, only where they end.
#include <assert.h>
#include <stdlib.h>
int main(void) {
  char *end;
  strtod("3.14159265358979323846", &end);
  assert(*end == 0);
  return 0;
}
