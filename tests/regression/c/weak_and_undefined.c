// chcverify: --timeout 60
/* No one defines them: their addresses are null, so neither is called. */
#include <assert.h>
extern void plugin(int) __attribute__((weak));
__attribute__((weak)) extern int probe(void);
extern int setting __attribute__((weak));
static void (*hook)(int) = plugin;
int main(void) {
  int x = 1;
  if (plugin) plugin(x);
  if (&probe != 0) x = probe();
  if (&setting) x = 2;
  if (hook) hook(x);
  assert(x == 1 && !hook && plugin == 0);
  return 0;
}
