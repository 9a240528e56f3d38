// chcverify: --timeout 60
/* The function that called setjmp has returned. */
#include <setjmp.h>
static jmp_buf start;
static int mark(void) { return setjmp(start); }
int main(void) {
  mark();
  longjmp(start, 1);
}
