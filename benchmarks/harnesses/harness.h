// What the harnesses have in common: arbitrary inputs, and checks.
extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
#define CHECK(condition) \
  do { \
    if (!(condition)) \
      reach_error(); \
  } while (0)
#define ASSUME(condition) \
  do { \
    if (!(condition)) \
      abort(); \
  } while (0)
#define FILL(array, count) \
  do { \
    for (int fill = 0; fill < (count); fill++) \
      (array)[fill] = __VERIFIER_nondet_uchar(); \
  } while (0)
