// chcverify: --property null --timeout 60
// strstr reads its first string also where the second is empty (C11 7.24.5.7).
#include <string.h>
int main(void) {
  const char *text = 0;
  return strstr(text, "") == 0;
}
