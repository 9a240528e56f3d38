// chcverify: --timeout 60
#include <sys/time.h>
#include <time.h>

extern void reach_error(void);

int main(void) {
  struct timeval now;
  gettimeofday(&now, 0);
  time_t second = now.tv_sec;
  struct tm *parts = localtime(&second);
  if (parts && (parts->tm_mon > 11 || parts->tm_hour < 0 || now.tv_usec > 999999)) reach_error();
  return 0;
}
