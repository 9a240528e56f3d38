// chcverify: --timeout 60
#include <time.h>
extern void reach_error(void);
int main(void) {
  struct tm t = {0};
  t.tm_year = 69, t.tm_mon = 11, t.tm_mday = 31, t.tm_hour = 23, t.tm_min = 59, t.tm_sec = 59, t.tm_wday = 99;
  if (mktime(&t) == -1 && t.tm_wday != 99) reach_error();
  return 0;
}
