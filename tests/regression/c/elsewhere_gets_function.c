// chcverify: --timeout 60 --engine bmc
#include <assert.h>
int start(int *stack, void (*code)(int));
static int calls;
static void work(int more) { calls += more; }
int main(void) {
  int stack[2] = {1, 2};
  int number = start(stack, work);
  assert(calls == 0);
  work(number);
  assert(stack[1] == 2 || calls == number);
  return 0;
}
