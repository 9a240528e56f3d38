#ifndef CHC_UNISTD_H
#define CHC_UNISTD_H
#include <stddef.h>
unsigned sleep(unsigned seconds);
int usleep(unsigned microseconds);
#endif
