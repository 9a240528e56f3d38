#ifndef CHC_SCHED_H
#define CHC_SCHED_H
int sched_yield(void);
#endif
