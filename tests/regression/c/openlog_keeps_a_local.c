// chcverify: --property undefined-behaviour --timeout 120
// openlog keeps the pointer: syslog reads the text later.
#include <syslog.h>

static void begin(void) {
  char name[4] = "abc";
  openlog(name, 0, LOG_USER);
}

int main(void) {
  begin();
  syslog(LOG_INFO, "text");
  return 0;
}
