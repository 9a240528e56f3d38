// chcverify: --timeout 30
// A pointer that another file's function returns may be that of any function.
#include <assert.h>
typedef void (*action)(void);
extern void *named(const char *name);
int done;
void act(void) { done = 1; }
action table[1] = {act};

int main(void) {
  action found = (action)named("act");
  if (!found) return 0;
  found();
  assert(0);
  return 0;
}
