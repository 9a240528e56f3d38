// chcverify: --timeout 60
// The function may set the pointer, which nobody wrote before: where it leads then is not known. A run took it for one
// to no object, so that the assertion failed.
#include <assert.h>
struct buffer {
  int *start;
};
void fill(struct buffer *);
static struct buffer kept;

int main(void) {
  fill(&kept);
  if (kept.start) {
    *kept.start = 1;
    assert(*kept.start == 1);
  }
  return 0;
}
