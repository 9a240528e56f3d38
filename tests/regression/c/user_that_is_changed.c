// chcverify: --timeout 60
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  uid_t user = getuid();
  if (setuid(0) == 0 && getuid() != user) reach_error();
  return 0;
}
