/* What a hosted program's main is given (C11 5.1.2.2.1): `count` strings and a null pointer behind them. */
typedef __typeof__(sizeof(0)) size_t;

char **__chcverify_arguments(int count) {
  char **all = malloc(((size_t)count + 1) * sizeof *all);
  for (int i = 0; i < count; i++) {
    unsigned int length = __VERIFIER_nondet_uint();
    char *text = malloc((size_t)length + 1);
    text[length] = 0; /* there may be another one before it */
    all[i] = text;
  }
  all[count] = 0;
  return all;
}
