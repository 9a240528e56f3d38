// chcverify: --timeout 60
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  char *end;
  if (strtod(" -12.50e1 ", &end) == -125.0 && *end == ' ' && atof("x") == 0.0) reach_error();
  return 0;
}
