#ifndef CHC_STDDEF_H
#define CHC_STDDEF_H
typedef __typeof__(sizeof(0)) size_t;
typedef __typeof__((char *)0 - (char *)0) ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
#define NULL ((void *)0)
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
