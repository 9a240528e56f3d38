// chcverify: --property bounds,null --all-checks --timeout 60
#include <stddef.h>
#include <time.h>

int main(int argc, char **argv) {
  char text[4];
  time_t second = (time_t)argc << 32; /* may be a time of no year that fits */
  struct tm *parts = gmtime(&second);
  if (parts && strftime(text, sizeof text, "%H", parts) > 0) text[3] = 0;
  return ctime(&second)[24];
}
