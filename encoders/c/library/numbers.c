/* Numbers in text (<stdlib.h>, C11 7.22.1.4): as far as they go, with their sign, up to the limits of the type. */
int *__errno_location(void);

static int digit_of(char c) {
  return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'z' ? c - 'a' + 10 : c >= 'A' && c <= 'Z' ? c - 'A' + 10 : 99;
}

/* positive, negative: the greatest magnitudes; beyond them the result is the limit (unsigned: the greatest). */
static unsigned long long number(const char *text, char **end, int base, unsigned long long positive,
                                 unsigned long long negative, int is_signed) {
  if (base < 0 || base == 1 || base > 36) {
    *__errno_location() = 22; /* EINVAL */
    return 0;
  }
  unsigned long i = 0;
  int minus = 0, digits = 0, overflow = 0;
  while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) i++;
  if (text[i] == '-' || text[i] == '+') minus = text[i++] == '-';
  if ((base == 0 || base == 16) && text[i] == '0' && (text[i + 1] == 'x' || text[i + 1] == 'X') &&
      digit_of(text[i + 2]) < 16) {
    i += 2;
    base = 16;
  } else if (base == 0) {
    base = text[i] == '0' ? 8 : 10;
  }
  unsigned long long value = 0, limit = minus ? negative : positive;
  for (; digit_of(text[i]) < base; i++) {
    int digit = digit_of(text[i]);
    digits = 1;
    if (value > (limit - digit) / base)
      overflow = 1;
    else
      value = value * base + digit;
  }
  if (end) *end = (char *)(digits ? text + i : text);
  if (overflow) {
    *__errno_location() = 34; /* ERANGE */
    if (!is_signed) return positive;
    value = limit;
  }
  return minus ? -value : value;
}

unsigned long strtoul(const char *text, char **end, int base) { return number(text, end, base, ~0ul, ~0ul, 0); }

unsigned long long strtoull(const char *text, char **end, int base) {
  return number(text, end, base, ~0ull, ~0ull, 0);
}

long long strtoll(const char *text, char **end, int base) {
  return number(text, end, base, ~0ull >> 1, (~0ull >> 1) + 1, 1);
}

/* intmax_t is as wide as long long (C11 7.8.2.3). */
long long strtoimax(const char *text, char **end, int base) { return strtoll(text, end, base); }

unsigned long long strtoumax(const char *text, char **end, int base) { return strtoull(text, end, base); }
