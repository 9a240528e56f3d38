// chcverify: --property bounds,unreach-call --timeout 60
// The run has thousands of steps, and no input: it is made before engines start.
#include <assert.h>
static unsigned crc(const unsigned char *p, int n) {
  unsigned c = ~0u;
  for (int i = 0; i < n; i++) {
    c ^= p[i];
    for (int k = 0; k < 8; k++) c = (c >> 1) ^ (0xEDB88320u & -(c & 1));
  }
  return ~c;
}
int main(void) {
  unsigned char b[32];
  for (int i = 0; i < 32; i++) b[i] = i * 7;
  unsigned x = crc(b, 32);
  int t[4] = {1, 2, 3, 4}, s = 0;
  for (int i = 0; i <= 4; i++) s += t[i];
  assert(crc(b, 32) == x);
  return s;
}
