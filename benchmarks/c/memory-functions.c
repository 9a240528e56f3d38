// Memcpy, and memmove over itself.
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char a[3] = {1, 2, 3}, b[3];
  memcpy(b, a, 3);
  memmove(a + 1, a, 2);
  if (a[0] != 1 || a[1] != 1 || a[2] != 2 || b[2] != 3)
    reach_error();
  return 0;
}
