/* A failing assert of the program's own source is the violation. Like the standard's, may be included repeatedly. */
#undef assert
#ifdef NDEBUG
#define assert(expression) ((void)0)
#else
extern void __chcverify_assert_fail(const char *expression);
#define assert(expression) ((expression) ? (void)0 : __chcverify_assert_fail(#expression))
#endif
#ifndef __cplusplus
#undef static_assert
#define static_assert _Static_assert
#endif
