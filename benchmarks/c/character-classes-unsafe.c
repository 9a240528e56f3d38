// <ctype.h> over all characters.
#include <ctype.h>
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  int c = __VERIFIER_nondet_uchar();
  if (isdigit(c) && !isalnum(c))
    reach_error();
  if (isupper(c) && tolower(c) - c != 32)
    reach_error();
  if (isxdigit(c) && c >= 'f')
    reach_error();
  return 0;
}
