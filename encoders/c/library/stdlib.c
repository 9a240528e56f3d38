/* <stdlib.h> without what needs the environment. */
typedef __typeof__(sizeof(0)) size_t;
typedef struct { int quot; int rem; } div_t;

int abs(int value) { return value < 0 ? -value : value; }

long labs(long value) { return value < 0 ? -value : value; }

long long llabs(long long value) { return value < 0 ? -value : value; }

div_t div(int numerator, int denominator) {
  div_t result = {numerator / denominator, numerator % denominator};
  return result;
}

/* The bytes beyond the old object are unspecified, and so are what reading them gives. */
void *realloc(void *old, size_t size) {
  char *fresh = malloc(size);
  char *source = old;
  if (source)
    for (size_t i = 0; i < size; i++) fresh[i] = source[i];
  return fresh;
}

int atoi(const char *text) {
  size_t i = 0;
  int value = 0, negative = 0;
  while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) i++;
  if (text[i] == '-' || text[i] == '+') negative = text[i++] == '-';
  while (text[i] >= '0' && text[i] <= '9') value = value * 10 + (text[i++] - '0');
  return negative ? -value : value;
}

long atol(const char *text) {
  size_t i = 0;
  long value = 0, negative = 0;
  while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) i++;
  if (text[i] == '-' || text[i] == '+') negative = text[i++] == '-';
  while (text[i] >= '0' && text[i] <= '9') value = value * 10 + (text[i++] - '0');
  return negative ? -value : value;
}

int *__errno_location(void) {
  static int number;
  return &number;
}
