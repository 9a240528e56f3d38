// Strcmp and strchr.
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  const char *s = "ab";
  if (strcmp(s, "ab") != 0 || strcmp(s, "ac") > 0)
    reach_error();
  if (strchr(s, 'b') != s + 1 || strchr(s, 'x'))
    reach_error();
  return 0;
}
