// chcverify: --timeout 20
#include <string.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {
  char text[2] = {0, 0};
  text[0] = (char)__VERIFIER_nondet_int();
  if (strcmp("b", "a") <= 0 || memcmp("a", "b", 1) >= 0) reach_error();
  if (strcmp(text, "x") > 0 && text[0] != 'z') reach_error();
  return 0;
}
