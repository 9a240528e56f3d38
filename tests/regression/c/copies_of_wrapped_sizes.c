// chcverify: --entry "f_*" --property bounds,null,lifetime,assertion --timeout 120
// A product that wraps around is no multiple of its factor: 12 * 357913942 is 8 in 32 bits.
#include <assert.h>
#include <string.h>
struct three { int cells[3]; };
static struct three *nowhere, from[4], to[4];
void f_null(unsigned n) { if (n * 12u == 8) memcpy(nowhere, from, n * 12u); }
void f_part(unsigned n) {
  to[0].cells[0] = 0;
  from[0].cells[0] = 1;
  if (n * 12u == 8) {
    memcpy(to, from, n * 12u);
    assert(to[0].cells[0] == 1);
  }
}
void f_whole(unsigned n) {
  from[1].cells[2] = 5;
  if (n == 2) {
    memcpy(to, from, n * sizeof *to);
    assert(to[1].cells[2] == 5);
  }
}
