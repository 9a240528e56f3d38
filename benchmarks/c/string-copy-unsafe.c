// Strcpy, strcat and strlen.
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  char s[6];
  strcpy(s, "a");
  strcat(s, "b");
  if (strlen(s) != 2 || s[1] != 0)
    reach_error();
  return 0;
}
