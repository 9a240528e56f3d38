// The difference of times is rounded once, not each of them before: 2^53 + 1 and 2^53 are one second apart.
#include <time.h>
extern void reach_error(void);
int main(void) {
  if (difftime(9007199254740993, 9007199254740992) != 1 || difftime(9007199254740992, 9007199254740993) != -1) reach_error();
  return 0;
}
