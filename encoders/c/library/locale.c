/* <locale.h>: no locale but "C" is found (C11 7.11.1.1). */
char *setlocale(int category, const char *locale) {
  static char name[] = "C";
  if (category < 0 || category > 12) return 0;
  if (!locale) return name;
  if (locale[0] == 0) return __VERIFIER_nondet_int() ? name : 0; /* the environment may name one that is not found */
  if (locale[0] == 'C' && locale[1] == 0) return name;
  for (int i = 0; i < 6; i++)
    if (locale[i] != "POSIX"[i]) return 0;
  return name;
}
