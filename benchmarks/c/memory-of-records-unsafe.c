// Memcpy and memset of whole records.
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }

struct entry { int key; long value; };
int main(void) {
  struct entry a[2] = {{1, 10}, {2, 20}}, b[2];
  memcpy(b, a, sizeof a);
  memset(&a[0], 0, sizeof a[0]);
  if (a[0].value != 0 || a[1].key != 2 || b[0].value != 0 || b[1].value != 20)
    reach_error();
  return 0;
}
