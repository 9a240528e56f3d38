// chcverify: --timeout 60
// Where a pointer leads that is in a record of a function without a body is not known. It was taken for one to no
// object, so that the assertion failed.
#include <assert.h>
struct buffer {
  int length;
  struct {
    int *start;
  } cells;
};
struct buffer fetch(void);

int main(void) {
  struct buffer found = fetch();
  if (!found.cells.start)
    return 0;
  int first = *found.cells.start, second = *found.cells.start;
  assert(first == second);
  return 0;
}
