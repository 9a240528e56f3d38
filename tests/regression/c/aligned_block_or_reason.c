// chcverify: --timeout 60 --property undefined-behaviour --malloc may-fail
/* posix_memalign says by its result that there is no memory, or that the alignment is none. */
#include <stdlib.h>
int main(void) {
  void *block = 0;
  if (posix_memalign(&block, 24, 100) == 0) return ((char *)0)[0];
  if (posix_memalign(&block, 64, 100)) return 1;
  ((char *)block)[99] = 1;
  free(block);
  return 0;
}
