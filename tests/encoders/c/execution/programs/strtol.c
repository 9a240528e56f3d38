extern void show(long value);
#include <errno.h>
#include <stdlib.h>

static void read(const char *text, int base) {
  char *end = 0;
  errno = 0;
  long result = strtol(text, &end, base);
  show(result >> 1);
  show(result & 1);
  show(end - text);
  show(errno);
}

int main(void) {
  read("12", 10); read("  -34x", 10); read("+7", 0); read("0x1F", 0); read("0x1f", 16); read("0xg", 16); read("017", 0);
  read("089", 0); read("z", 36); read("", 10); read("-", 10); read("abc", 10); read("101", 2); read("102", 2);
  read("9223372036854775807", 10); read("9223372036854775808", 10); read("99999999999999999999999x", 10);
  read("-9223372036854775808", 10); read("-9223372036854775809", 10); read("-0", 10); read("\t\n 5 6", 10);
  show(strtol("77", 0, 8));
  return 0;
}
