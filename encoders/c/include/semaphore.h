#ifndef CHC_SEMAPHORE_H
#define CHC_SEMAPHORE_H
#include <time.h>
#if __SIZEOF_LONG__ == 8
typedef struct { unsigned __value; int __rest[7]; } sem_t;
#else
typedef struct { unsigned __value; int __rest[3]; } sem_t;
#endif
int sem_init(sem_t *semaphore, int shared, unsigned value);
int sem_destroy(sem_t *semaphore);
int sem_wait(sem_t *semaphore);
int sem_trywait(sem_t *semaphore);
int sem_timedwait(sem_t *semaphore, const struct timespec *time);
int sem_post(sem_t *semaphore);
int sem_getvalue(sem_t *semaphore, int *value);
#endif
