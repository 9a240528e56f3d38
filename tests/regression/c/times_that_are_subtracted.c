// chcverify: --property no-overflow --timeout 60
// What Linux gives as the time is far from the limits of long; the time of the processor does not go back.
#include <stdio.h>
#include <sys/time.h>
#include <time.h>
extern void reach_error(void);
int main(void) {
  struct timeval from, to;
  time_t start = time(0);
  clock_t begin = clock();
  gettimeofday(&from, 0);
  gettimeofday(&to, 0);
  long micros = (to.tv_sec - from.tv_sec) * 1000000 + to.tv_usec - from.tv_usec;
  long seconds = time(0) - start, ticks = clock() - begin;
  return micros + seconds + ticks == 0;
}
