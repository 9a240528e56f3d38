// chcverify: --timeout 30
#include <stdio.h>
#include <wchar.h>
extern void reach_error(void);

int main(void) {
  char b[4];
  wchar_t w[4];
  if (fgets(b, 0, stdin) || fgetws(w, -1, stdin)) reach_error();
  if (fgets(b, 1, stdin) && b[0]) reach_error();
  return 0;
}
