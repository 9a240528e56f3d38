// chcverify: --timeout 60
/* Chosen by a conditional, converted, passed on, returned: the function remains what it is. */
#include <assert.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>
typedef int (*map)(int);
static map choose(int which) { return which ? abs : (map)toupper; }
static int twice(map f, int x) { return f(f(x)); }
int main(void) {
  int big = 1;
  size_t (*length)(const char *) = &strlen;
  assert((big ? abs : labs == 0 ? abs : abs)(-4) == 4);
  assert(choose(1)(-9) == 9 && choose(0)('q') == 'Q');
  assert(twice(tolower, 'Z') == 'z' && twice(abs, -1) == 1);
  assert((*length)("four") == 4 && (**length)("") == 0);
  assert(((int (*)(int))isdigit)('7') && !(&isdigit)('x'));
  return 0;
}
