// chcverify: --timeout 60
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
  char text[8] = "-------", wide[16];
  if (snprintf(text, 4, "%d%s", 7, "abcdef") != 7 || strcmp(text, "7ab") != 0 || text[4] != '-') return 0;
  if (sprintf(wide, "%-3d|%+.2d", 7, 5) != 7 || strcmp(wide, "7  |+05") != 0) return 0;
  if (snprintf(0, 0, "%x", 255) != 2) return 0;
  reach_error();
  return 0;
}
