// chcverify: --timeout 60
/* A jump out of a recursion skips what stands behind the calls. */
#include <setjmp.h>
extern void reach_error(void);
static jmp_buf start;
static int depth;
static void down(int count) {
  if (count == 0) longjmp(start, 1);
  depth++;
  down(count - 1);
  depth--;
}
int main(void) {
  if (setjmp(start) == 0) down(3);
  if (depth == 3) reach_error();
  return 0;
}
