// chcverify: --property unreach-call
// What atexit and what setjmp keep are different objects, though both models call one `given`.
#include <assert.h>
#include <setjmp.h>
#include <stdlib.h>
static jmp_buf first, second;
static int count;
static void at_end(void) { count++; assert(count <= 1); }
int main(void) {
  int again;
  atexit(at_end);
  again = setjmp(first);
  if (setjmp(second) == 0 && again == 0) longjmp(first, 1);
  return 0;
}
