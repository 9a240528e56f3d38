// chcverify: --timeout 60
#include <unistd.h>
extern void reach_error(void);
int main(void) {
  uid_t user = getuid();
  if (user != getuid() || getegid() != getegid() || sysconf(_SC_PAGESIZE) != getpagesize()) reach_error();
  return 0;
}
