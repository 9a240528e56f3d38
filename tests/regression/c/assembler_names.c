// chcverify: --timeout 60
#include <assert.h>
int shared = 1;
extern int another_name __asm__("shared");
static int answer(void) { return 41; }
extern int question(void) __asm__("ans" "wer");
int renamed(int x) __asm__("real_name");
int renamed(int x) { return x + 1; }
extern int real_name(int);
extern int not_the_model(int) __asm__("abs");
int main(void) {
  extern int local_name __asm__("shared");
  int (*f)(int) = real_name;
  another_name = 5;
  assert(shared == 5);
  local_name++;
  assert(shared == 6 && another_name == 6);
  assert(question() == 41 && f == renamed && f(1) == 2 && real_name(2) == 3);
  assert(not_the_model(-3) == 3);
  return 0;
}
