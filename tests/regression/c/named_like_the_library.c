// chcverify: --timeout 60
/* What the program defines is meant, by itself and in its pointers; models of other functions keep their own. */
#include <assert.h>
typedef __typeof__(sizeof 0) size_t;
static int lowered(int c) { return 7; }
static int upper = 5, lower = 6;
int atoi(const char *text) { return 1000; }
static int getchar(void) { return 42; }
static size_t strnlen(const char *text, size_t most) { return 9; }
char *stpncpy(char *to, const char *from, size_t most);
int strcasecmp(const char *, const char *);
int main(void) {
  char to[4];
  int (*f)(const char *) = atoi;
  int (*g)(void) = getchar;
  assert(f("1") == 1000 && atoi("2") == 1000 && getchar() == 42 && g() == 42 && strnlen(to, 4) == 9);
  assert(stpncpy(to, "xy", 4) == to + 2);
  assert(!strcasecmp("aB", "Ab") && lowered('A') == 7 && upper == 5 && lower == 6);
  return 0;
}
