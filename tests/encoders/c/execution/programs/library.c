extern void show(long value);
#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct node { struct node *next; int value; };
int main(void) {
  char buffer[20], other[20];
  show(strlen(strcpy(buffer, "hello")));
  strcat(buffer, " world");
  show(strlen(buffer));
  show(buffer[6]);
  show(strcmp("abc", "abd") < 0);
  show(strncmp("abc", "abd", 2));
  show(strchr(buffer, 'o') - buffer);
  show(strrchr(buffer, 'o') - buffer);
  show(strstr(buffer, "wor") - buffer);
  show(strchr(buffer, 'z') == NULL);
  show(strspn("aabc", "ab"));
  show(strcspn("aabc", "c"));
  show(*strpbrk("hello", "le"));
  strncpy(other, "abcdef", 3);
  other[3] = 0;
  show(strlen(other));
  memset(other, 'x', 5);
  show(other[4]);
  memmove(buffer + 1, buffer, 5);
  show(buffer[5]);
  show(memcmp("ab", "ac", 2) < 0);
  show(memchr("abc", 'c', 3) != 0);
  show(abs(-5) + labs(-6L));
  show(atoi("  -123x"));
  show(div(17, 5).rem);
  int seen = 0;
  for (int c = 0; c < 128; c++)
    seen += !!isalpha(c) + 2 * !!isdigit(c) + 4 * !!isspace(c) + 8 * !!isupper(c) + 16 * !!ispunct(c) + 32 * !!isxdigit(c)
            + 64 * !!isprint(c) + 128 * !!iscntrl(c) + 256 * !!isgraph(c) + 512 * !!isalnum(c) + 1024 * !!islower(c);
  show(seen);
  show(toupper('q') + tolower('Q'));
  show(floor(-2.5) * 10 + ceil(2.1) + trunc(-1.9) + round(2.5) + fabs(-3.0) + fmax(1, 2) + fmin(1, 2));
  show(isnan(0.0 / 1) + isinf(1e300 * 1e300) + isfinite(1.0));
  show(INT_MAX + UINT8_MAX > 0);
  show(INT64_MAX == LLONG_MAX);
  show(offsetof(struct node, value));
  struct node *list = NULL;
  for (int i = 0; i < 4; i++) {
    struct node *fresh = malloc(sizeof *fresh);
    fresh->next = list;
    fresh->value = i * i;
    list = fresh;
  }
  for (struct node *n = list; n; n = n->next) show(n->value);
  char *grown = realloc(strdup("grow"), 10);
  show(grown[3]);
  int numbers[4] = {1, 2, 3, 4}, copies[4];
  memcpy(copies, numbers, sizeof numbers);
  show(copies[3]);
  memmove(numbers + 1, numbers, 3 * sizeof(int));
  show(numbers[3] * 10 + numbers[1]);
  memset(numbers, 0, 2 * sizeof *numbers);
  show(numbers[1] + numbers[2]);
  struct node pair[2] = {{0, 5}, {0, 6}}, twin[2];
  memcpy(&twin, pair, sizeof(pair));
  show(twin[1].value);
  int *wide = malloc(2 * sizeof(int));
  wide[1] = 9;
  wide = realloc(wide, 4 * sizeof(int));
  show(wide[1]);
  errno = ERANGE;
  show(errno);
  bool flag = 7;
  show(flag);
  free(list);
  return 0;
}
