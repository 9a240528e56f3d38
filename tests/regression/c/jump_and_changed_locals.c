// chcverify: --timeout 60
/* A local that changed after setjmp has no value that C defines; a volatile one has its own. */
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf start;
int main(void) {
  int plain = 0;
  volatile int kept = 0;
  if (setjmp(start) == 0) {
    plain = 1;
    kept = 2;
    longjmp(start, 1);
  }
  if (kept != 2) reach_error();
  if (plain == 7) reach_error();
  return 0;
}
