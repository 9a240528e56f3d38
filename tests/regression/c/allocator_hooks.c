// chcverify: --timeout 60
/* Memory from the hooks of a library: fresh, aligned with no other object, and never null. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>
typedef struct { void *(*take)(size_t); void (*give)(void *); char *(*copy)(char *, const char *); } hooks;
static hooks used = {malloc, free, strcpy};
int main(void) {
  int other = 3, *p = used.take(sizeof(int));
  char *text = (char *)(used.take)(4);
  assert(p && p != &other);
  *p = 8;
  (*used.copy)(text, "ab");
  assert(other == 3 && *p == 8 && text[1] == 'b' && strlen(text) == 2);
  used.give(p);
  return 0;
}
