/* <stddef.h> with what C23 adds. */
#include_next <stddef.h>
#if defined(offsetof) && !defined(CHC_C23_STDDEF_H)
#define CHC_C23_STDDEF_H
typedef __typeof__((void *)0) nullptr_t;
#ifndef unreachable
#define unreachable() (__builtin_unreachable())
#endif
#endif
