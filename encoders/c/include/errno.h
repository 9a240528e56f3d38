#ifndef CHC_ERRNO_H
#define CHC_ERRNO_H
int *__errno_location(void);
#define errno (*__errno_location())
#define EINTR 4
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34
#endif
