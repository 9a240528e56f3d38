// Storage of the calling function.
#include <alloca.h>
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int *a = alloca(3 * sizeof(int));
  a[0] = 1;
  a[1] = a[0] + 1;
  a[2] = a[1] + 1;
  if (a[0] + a[1] + a[2] != 7)
    reach_error();
  return 0;
}
