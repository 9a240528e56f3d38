// chcverify: --timeout 60
#include <assert.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
int main(void) {
  errno = 3;
  putchar('x');
  close(1);
  assert(errno != 0);
  errno = 0;
  abs(-3);
  assert(errno == 0);
  return 0;
}
