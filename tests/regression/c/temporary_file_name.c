// chcverify: --timeout 60
#include <stdlib.h>
extern void reach_error(void);
int main(void) {
  char name[] = "fileXXXXXX";
  if (mkstemp(name) >= 0 && name[9] != 'X') reach_error();
  return 0;
}
