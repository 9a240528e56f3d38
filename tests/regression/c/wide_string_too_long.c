// chcverify: --property valid-memsafety --timeout 120
// wcscpy writes the terminator, too.
#include <stdlib.h>
typedef int wchar_t;
wchar_t *wcscpy(wchar_t *to, const wchar_t *from);

int main(void) {
  wchar_t *copy = malloc(4 * sizeof(wchar_t));
  wcscpy(copy, L"four");
  free(copy);
  return 0;
}
