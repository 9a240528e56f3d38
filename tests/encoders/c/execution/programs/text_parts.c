/* Parts of strings, and unsigned and long numbers in text. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
extern void show(long value);

static void numbers(const char *text, int base) {
  char *end;
  errno = 0;
  show(strtoul(text, &end, base));
  show(end - text);
  show(errno);
  show(strtoull(text, &end, base));
  errno = 0;
  show(strtoll(text, &end, base));
  show(end - text + 100 * errno);
}

int main(void) {
  char a[] = ",ab,cd;;e", *at, b[] = "k=v=", d[8] = "1234567";
  for (char *p = strtok(a, ",;"); p; p = strtok(0, ",;")) {
    show(p - a);
    show(strlen(p));
  }
  char *rest = b;
  while (strsep(&rest, "=")) show(rest ? rest - b : -1);
  char *word = strtok_r(strcpy(d, " x y"), " ", &at);
  show(word - d + 10 * (at - d));
  numbers("  -5z", 10);
  numbers("99999999999999999999", 0);
  numbers("-9223372036854775809", 10);
  numbers("0xFFg", 0);
  numbers("0777", 0);
  numbers("zZ", 36);
  numbers("+", 10);
  numbers("-99999999999999999999", 0);
  show((char *)memccpy(d, "xyz", 'y', 3) - d);
  show(memccpy(d, "xyz", 'q', 2) == 0);
  show(stpncpy(d, "ab", 5) - d);
  show(d[4] + 10 * d[5]);
  return 0;
}
