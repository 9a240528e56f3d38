// chcverify: --timeout 30
#include <err.h>
#include <stdlib.h>
extern void reach_error(void);
static void handler(void) { reach_error(); }

int main(void) {
  atexit(handler);
  errx(1, "bad");
}
