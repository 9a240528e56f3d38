// chcverify: --property undefined-behaviour --all-checks --timeout 60
#include <stdio.h>
#include <unistd.h>

int main(void) {
  char line[4], part[6];
  long count = read(0, line, sizeof line);
  if (count > 0) line[count - 1] = 0;
  size_t pairs = fread(part, 2, 3, stdin);
  if (pairs > 3) __builtin_unreachable();
  read(0, line, sizeof line + 1);
  return 0;
}
