// chcverify: --timeout 60
/* A conversion begins where the one before has ended. */
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
  int a = 0, b = 0, end = 0;
  char word[8];
  if (sscanf("12 x-34", "%d x%d", &a, &b) != 2 || a != 12 || b != -34) reach_error();
  if (sscanf("key=7;", "%7[a-z]=%d%n", word, &a, &end) != 2 || strcmp(word, "key") || a != 7 || end != 5) reach_error();
  if (sscanf("", "%d", &a) != -1 || sscanf("x", "%d", &a) != 0) reach_error();
  return 0;
}
