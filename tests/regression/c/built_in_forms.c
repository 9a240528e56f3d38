// chcverify: --timeout 60
#include <assert.h>
extern void reach_error(void);
int main(void) {
  char to[8];
  int *p = __builtin_malloc(sizeof *p);
  __builtin_memset(to, 0, sizeof to);
  __builtin_strcpy(to, "abc");
  assert(p && __builtin_strlen(to) == 3 && __builtin_abs(-5) == 5 && !__builtin_strcmp(to, "abc"));
  __builtin_printf("%s", to);
  __builtin_prefetch(to, 0, 3);
  __builtin_free(p);
  __builtin_exit(0);
  reach_error();
}
