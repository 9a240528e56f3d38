// chcverify: --timeout 120
// Output fails with a negative result, or the result counts what is written: C11 7.21.6.1p14, 7.21.7.3p3, POSIX write.
#include <assert.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char text[4] = "abc";
  size_t count = 3;
  int r = printf("ab%d\n", 5);
  assert(r < 0 || (r >= 4 && r <= 14));
  assert(write(1, text, count) <= 3);
  assert(fwrite(text, 1, 3, stdout) <= 3);
  assert(putchar('a') <= 255);
  return 0;
}
