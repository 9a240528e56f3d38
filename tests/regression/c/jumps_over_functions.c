// chcverify: --timeout 60
/* Jumps over several functions, to the innermost and to the outermost call of setjmp. */
#include <setjmp.h>
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);
static jmp_buf outer, inner;
static void leave(int kind) {
  if (kind > 2) longjmp(outer, kind);
  if (kind == 1) longjmp(inner, kind + 4);
}
static int guarded(int kind) {
  int result = setjmp(inner);
  if (result) return result;
  leave(kind);
  return 0;
}
int main(void) {
  int kind = __VERIFIER_nondet_int();
  if (kind < 0 || kind > 3) return 0;
  int result = setjmp(outer);
  if (result) {
    if (kind != 3 || result != 3) reach_error();
    return 0;
  }
  int value = guarded(kind);
  if (kind == 3 || value != (kind == 1 ? 5 : 0)) reach_error();
  return 0;
}
