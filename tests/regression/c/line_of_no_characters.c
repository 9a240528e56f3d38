// chcverify: --timeout 60
#include <stdio.h>

extern void reach_error(void);

int main(void) {
  char line[4];
  if (fgets(line, 0, stdin) || fgets(line, -1, stdin)) reach_error();
  return 0;
}
