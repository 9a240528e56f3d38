/* A request is read into a buffer, and a zero is written behind it: behind the buffer, if the request fills it. */
#include <unistd.h>

static int receive(int file) {
  char request[256];
#ifdef FIXED
  long n = read(file, request, sizeof request - 1);
#else
  long n = read(file, request, sizeof request);
#endif
  if (n < 0) return -1;
  request[n] = 0;
  return request[0] == 'q';
}

int main(void) {
  while (receive(0) == 0) {}
  return 0;
}
