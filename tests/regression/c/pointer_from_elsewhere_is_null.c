// chcverify: --timeout 60
// A function without a body may return null.
#include <stdio.h>
extern char *text_of(int number);
extern void reach_error(void);
int main(void) {
  char *text = text_of(3);
  if (text == NULL) reach_error();
  return 0;
}
