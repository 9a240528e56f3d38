/* <stdlib.h> without what needs the environment. */
typedef __typeof__(sizeof(0)) size_t;
int *__errno_location(void);

int abs(int value) { return value < 0 ? -value : value; }

long labs(long value) { return value < 0 ? -value : value; }

long long llabs(long long value) { return value < 0 ? -value : value; }

long long imaxabs(long long value) { return value < 0 ? -value : value; } /* intmax_t is as wide as long long */

/* The bytes beyond the old object are unspecified, and so are what reading them gives. */
void *realloc(void *old, size_t size) {
  char *fresh = malloc(size);
  char *source = old;
  if (source)
    for (size_t i = 0; i < size; i++) fresh[i] = source[i];
  return fresh;
}

/* A product that does not fit is a failure: ENOMEM. */
void *reallocarray(void *old, size_t count, size_t size) {
  if (size && count > (size_t)-1 / size) {
    *__errno_location() = 12;
    return 0;
  }
  return realloc(old, count * size);
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

/* Each thread has one (C11 7.5p2). */
int *__errno_location(void) {
  static _Thread_local int number;
  return &number;
}

/* What a function of the environment that may fail does to errno: nothing, or it says why, which never is 0. */
void __chcverify_may_fail(void) {
  int reason = __VERIFIER_nondet_int();
  if (reason > 0) *__errno_location() = reason;
}

long strtol(const char *text, char **end, int base) {
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = 22; /* EINVAL */
    return 0;
  }
  size_t i = 0;
  int negative = 0, digits = 0, overflow = 0;
  while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) i++;
  if (text[i] == '-' || text[i] == '+') negative = text[i++] == '-';
  if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') &&
      ((text[i + 2] >= '0' && text[i + 2] <= '9') || (text[i + 2] >= 'a' && text[i + 2] <= 'f') ||
       (text[i + 2] >= 'A' && text[i + 2] <= 'F'))) {
    i += 2;
    base = 16;
  } else if (base == 0) {
    base = text[i] == '0' ? 8 : 10;
  }
  unsigned long value = 0, limit = (~0ul >> 1) + negative;
  for (;; i++) {
    int digit = 99;
    char c = text[i];
    if (c >= '0' && c <= '9') digit = c - '0';
    if (c >= 'a' && c <= 'z') digit = c - 'a' + 10;
    if (c >= 'A' && c <= 'Z') digit = c - 'A' + 10;
    if (digit >= base) break;
    digits = 1;
    if (value > (limit - digit) / base)
      overflow = 1;
    else
      value = value * base + digit;
  }
  if (end) *end = (char *)(digits ? text + i : text);
  if (overflow) {
    *__errno_location() = 34; /* ERANGE */
    value = limit;
  }
  return negative ? -value : value;
}

/* The result says why there is no block (POSIX posix_memalign). */
int posix_memalign(void **place, size_t alignment, size_t size) {
  if (alignment == 0 || alignment % sizeof(void *) || (alignment & (alignment - 1))) return 22; /* EINVAL */
  *place = aligned_alloc(alignment, size);
  return 0;
}

/* The same seed gives the same numbers again (C11 7.22.2.2): no violation rests on what comes after a second srand. */
static _Atomic int is_seeded, is_repeated;

void srand(unsigned seed) {
  if (is_seeded) is_repeated = 1;
  is_seeded = 1;
}

void srandom(unsigned seed) { srand(seed); }

void srand48(long seed) { srand(seed); }

int rand(void) {
  int value = is_repeated ? __chcverify_repeated_number() : __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= 0);
  return value;
}

/* time_t is long. Linux counts nanoseconds in 64 bits, and sets no clock to a time before 1970. */
long time(long *place) {
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now >= -1 && now <= 9223372036);
  if (place) *place = now;
  return now;
}

/* Processor time, which never goes back; -1 where there is none (C11 7.27.2.1). */
long clock(void) {
  static _Atomic long passed;
  long now = __VERIFIER_nondet_long();
  __VERIFIER_assume(now == -1 || (now >= passed && now <= 9223372036854775 && now != ~0ul >> 1));
  if (now > 0) passed = now;
  return now;
}

long random(void) { return rand(); }

long lrand48(void) { return rand(); }

double drand48(void) {
  double value = __VERIFIER_nondet_double();
  if (rand() < 0) value = 0.0; /* it belongs to the same sequence */
  __VERIFIER_assume(value >= 0.0 && value < 1.0);
  return value;
}

long long atoll(const char *text) {
  size_t i = 0;
  long long value = 0, negative = 0;
  while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) i++;
  if (text[i] == '-' || text[i] == '+') negative = text[i++] == '-';
  while (text[i] >= '0' && text[i] <= '9') value = value * 10 + (text[i++] - '0');
  return negative ? -value : value;
}

/* A character of the input, or -1 at its end. */
int getchar(void) {
  int value = __VERIFIER_nondet_int();
  __VERIFIER_assume(value >= -1 && value <= 255);
  return value;
}

int fgetc(void *stream) { return getchar(); }

int getc(void *stream) { return getchar(); }
