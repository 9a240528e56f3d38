// chcverify: --timeout 60
/* The locale is "C", as what is assumed says. */
#include <locale.h>
#include <string.h>
extern void reach_error(void);
int main(void) {
  char *name = setlocale(LC_ALL, "");
  if (name && strcmp(name, "C")) reach_error();
  return 0;
}
