/* <stdarg.h> whose va_start needs no last parameter. */
#include_next <stdarg.h>
#ifdef va_start
#undef va_start
#define va_start(list, ...) __builtin_va_start(list, 0)
#endif
