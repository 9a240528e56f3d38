// chcverify: --timeout 60
/* bsearch with a key of another type than the elements. */
#include <stdlib.h>
#include <string.h>
extern void reach_error(void);
struct entry { const char *name; int value; };
static struct entry table[3] = {{"a", 1}, {"b", 2}, {"c", 3}};
static int compare(const void *key, const void *entry) { return strcmp(key, ((const struct entry *)entry)->name); }
int main(void) {
  struct entry *found = bsearch("b", table, 3, sizeof table[0], compare);
  if (!found || found->value != 2 || bsearch("d", table, 3, sizeof table[0], compare)) reach_error();
  return 0;
}
