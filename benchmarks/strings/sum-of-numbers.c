// Safe: Numbers with signs between them are added up.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int number(const char **text) {
  int value = 0;
  const char *at = *text;
  while (*at >= '0' && *at <= '9') {
    value = (value * 10 + (*at - '0')) % 1000;
    at++;
  }
  *text = at;
  return value;
}

int main(void) {
  char line[64];
  if (!fgets(line, 64, stdin))
    return 0;
  const char *at = line;
  int total = number(&at);
  while (*at == '+' || *at == '-') {
    char sign = *at++;
    int next = number(&at);
    total = sign == '+' ? (total + next) % 1000 : (total - next) % 1000;
  }
  return total;
}
