// Memset and memcmp.
#include <string.h>
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned char a[3] = {1, 2, 3}, b[3];
  memset(b, 0x102, sizeof b);
  if (b[0] != 2 || b[2] != 2 || memcmp(a, b, 3) >= 0)
    reach_error();
  return 0;
}
