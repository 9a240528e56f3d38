/* <locale.h>: no locale but "C" is found (C11 7.11.1.1). */
typedef __typeof__(sizeof(0)) size_t;

char *setlocale(int category, const char *locale) {
  static char name[] = "C";
  size_t length = locale ? strlen(locale) : 0;
  if (category < 0 || category > 12) return 0;
  if (!locale) return name;
  if (length == 0) return __VERIFIER_nondet_int() ? name : 0; /* the environment may name one that is not found */
  if (strcmp(locale, "C") == 0 || strcmp(locale, "POSIX") == 0) return name;
  return 0;
}
