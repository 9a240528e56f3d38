#ifndef CHC_THREADS_H
#define CHC_THREADS_H
#include <time.h>
#define thread_local _Thread_local
#define TSS_DTOR_ITERATIONS 4
#define ONCE_FLAG_INIT { 0 }
typedef unsigned long thrd_t;
typedef int (*thrd_start_t)(void *);
typedef unsigned tss_t;
typedef void (*tss_dtor_t)(void *);
typedef struct { int __data; } once_flag;
typedef struct { int __owner; int __count; int __kind; int __rest[7]; } mtx_t;
typedef struct { int __data[12]; } cnd_t;
enum { thrd_success = 0, thrd_busy = 1, thrd_error = 2, thrd_nomem = 3, thrd_timedout = 4 };
enum { mtx_plain = 0, mtx_recursive = 1, mtx_timed = 2 };
int thrd_create(thrd_t *thread, thrd_start_t start, void *argument);
int thrd_join(thrd_t thread, int *result);
int thrd_detach(thrd_t thread);
int thrd_equal(thrd_t one, thrd_t two);
thrd_t thrd_current(void);
void thrd_exit(int result) __attribute__((__noreturn__));
int thrd_sleep(const struct timespec *time, struct timespec *rest);
void thrd_yield(void);
int mtx_init(mtx_t *mutex, int kind);
void mtx_destroy(mtx_t *mutex);
int mtx_lock(mtx_t *mutex);
int mtx_timedlock(mtx_t *mutex, const struct timespec *time);
int mtx_trylock(mtx_t *mutex);
int mtx_unlock(mtx_t *mutex);
int cnd_init(cnd_t *condition);
void cnd_destroy(cnd_t *condition);
int cnd_signal(cnd_t *condition);
int cnd_broadcast(cnd_t *condition);
int cnd_wait(cnd_t *condition, mtx_t *mutex);
int cnd_timedwait(cnd_t *condition, mtx_t *mutex, const struct timespec *time);
void call_once(once_flag *flag, void (*function)(void));
int tss_create(tss_t *key, tss_dtor_t destructor);
void tss_delete(tss_t key);
int tss_set(tss_t key, void *value);
void *tss_get(tss_t key);
#endif
