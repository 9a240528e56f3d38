/* Lines of an input that may be anything (C11 7.21.7.2, 7.29.3.2). */
typedef __typeof__(L'a') wchar_t;
int getchar(void);

char *fgets(char *to, int size, void *stream) {
  int i = 0;
  if (size <= 0) return 0; /* C leaves it open; so do glibc and musl */
  while (i < size - 1) {
    int c = getchar();
    if (c < 0) {
      if (i == 0 || __VERIFIER_nondet_int()) return 0; /* the end, or an error, after which the contents are anything */
      break;
    }
    to[i++] = (char)c;
    if (c == '\n') break;
  }
  to[i] = 0;
  return to;
}

wchar_t *fgetws(wchar_t *to, int size, void *stream) {
  int i = 0;
  if (size <= 0) return 0;
  while (i < size - 1) {
    if (__VERIFIER_nondet_int()) {
      if (i == 0 || __VERIFIER_nondet_int()) return 0; /* the end, or an error, after which the contents are anything */
      break;
    }
    wchar_t c = __VERIFIER_nondet_int();
    to[i++] = c;
    if (c == L'\n') break;
  }
  to[i] = 0;
  return to;
}
