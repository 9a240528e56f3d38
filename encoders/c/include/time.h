#ifndef CHC_TIME_H
#define CHC_TIME_H
#include <stddef.h>
typedef long time_t;
typedef long clock_t;
struct timespec { time_t tv_sec; long tv_nsec; };
time_t time(time_t *result);
clock_t clock(void);
#endif
