#ifndef CHC_ERRNO_H
#define CHC_ERRNO_H
extern int errno;
#define EINTR 4
#define ENOMEM 12
#define EINVAL 22
#define ERANGE 34
#endif
