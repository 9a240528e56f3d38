// chcverify: --timeout 60
// It may change nothing: then pointers lead where they led before. No engine knows where they lead after the call.
#include <assert.h>
struct item {
  struct item *next;
  int value;
};
void look_at(struct item *);
int main(void) {
  struct item last = {0, 1}, first = {&last, 2};
  look_at(&first);
  struct item *behind = first.next;
  assert(behind->value == 2);
  return 0;
}
