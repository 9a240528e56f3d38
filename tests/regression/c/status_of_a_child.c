// chcverify: --timeout 60
#include <sys/types.h>
#include <sys/wait.h>
extern void reach_error(void);
int main(void) {
  int status = 12345;
  if (wait(&status) != -1 && status != 12345) reach_error();
  return 0;
}
