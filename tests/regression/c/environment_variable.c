// chcverify: --timeout 60
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  if (getenv("HOME") == 0) reach_error();
  return 0;
}
