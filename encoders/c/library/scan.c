/* Formatted input from strings (C11 7.21.6.7), a conversion at a time. Results are positions in the text; -1: the text is
   not what is asked for, -2: it ends before. width: 0 if none is given. */
typedef __typeof__(sizeof(0)) size_t;
int __chcverify_other_reading(void);
long long __chcverify_number_too_large(void);
double __chcverify_value_of_strtod(void);

static int is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

static int value_of_digit(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  return c >= 'A' && c <= 'F' ? c - 'A' + 10 : 16;
}

long __chcverify_scan_blanks(const char *text, long at) {
  while (is_space(text[at])) at++;
  return at;
}

long __chcverify_scan_character(const char *text, long at, char c) {
  if (text[at] == c) return at + 1;
  return text[at] ? -1 : -2;
}

/* base: 0 if the number says it. What begins like a hexadecimal number and is none: libraries read the 0, or that and
   the x, or find no number. */
long __chcverify_scan_number(const char *text, long at, int width, int base) {
  long end = at, most = width ? at + width : 0x7fffffff;
  if (!text[at]) return -2;
  if (text[end] == '-' || text[end] == '+') end++;
  if ((base == 0 || base == 16) && end < most && text[end] == '0') {
    if (end + 1 < most && (text[end + 1] == 'x' || text[end + 1] == 'X')) {
      if (end + 2 >= most || value_of_digit(text[end + 2]) == 16) {
        if (__chcverify_other_reading()) return -1;
        return __chcverify_other_reading() ? end + 1 : end + 2;
      }
      base = 16;
      end += 2;
    } else if (base == 0) {
      base = 8;
    }
  }
  if (base == 0) base = 10;
  long first = end;
  while (end < most && value_of_digit(text[end]) < base) end++;
  return end == first ? -1 : end;
}

/* The number there; any for one that does not fit, for which C defines none. bits: of the type. */
long long __chcverify_scanned_number(const char *text, long at, long end, int base, int bits) {
  int is_negative = text[at] == '-';
  if (text[at] == '-' || text[at] == '+') at++;
  if (text[at] == '0' && (base == 0 || base == 16) && at + 1 < end && (text[at + 1] == 'x' || text[at + 1] == 'X')) {
    base = 16;
    at += 2;
  } else if (base == 0) {
    base = text[at] == '0' ? 8 : 10;
  }
  unsigned long long value = 0, most = bits == 64 ? ~0ULL : (1ULL << bits) - 1;
  for (; at < end; at++) {
    int digit = value_of_digit(text[at]);
    if (value > (most - digit) / base) return __chcverify_number_too_large();
    value = value * base + digit;
  }
  return is_negative ? 0 - value : value;
}

/* Do libraries read it in different ways? Where the formats of strtod and scanf differ: 1e, 0x, nan(. */
static int is_read_in_different_ways(const char *text, long at, const char *behind) {
  char c = behind[0];
  if (c == 'e' || c == 'E' || c == 'p' || c == 'P' || c == 'x' || c == 'X' || c == '(') return 1;
  return behind == text + at && (c == 'i' || c == 'I' || c == 'n' || c == 'N');
}

/* What strtod reads; where libraries differ, nothing, or that and any characters behind it. */
long __chcverify_scan_real(const char *text, long at) {
  char *behind;
  if (!text[at]) return -2;
  strtod(text + at, &behind);
  if (behind == text + at && (is_space(text[at]) || text[at] == '+' || text[at] == '-' || text[at] == '.')) return -1;
  if (is_read_in_different_ways(text, at, behind)) {
    if (__chcverify_other_reading()) return -1;
    while (behind[0] && __chcverify_other_reading()) behind++;
    return behind - text;
  }
  return behind == text + at ? -1 : behind - text;
}

double __chcverify_scanned_real(const char *text, long at) {
  char *behind;
  double value = strtod(text + at, &behind);
  return is_read_in_different_ways(text, at, behind) ? __chcverify_value_of_strtod() : value;
}

/* Up to a blank, or the width. */
long __chcverify_scan_word(const char *text, long at, int width) {
  long end = at;
  if (!text[at]) return -2;
  while (text[end] && !is_space(text[end]) && (width == 0 || end - at < width)) end++;
  return end;
}

/* Characters of a set of 256 bits. */
long __chcverify_scan_set(const char *text, long at, int width, unsigned long long a, unsigned long long b,
                          unsigned long long c, unsigned long long d) {
  long end = at;
  if (!text[at]) return -2;
  while (text[end] && (width == 0 || end - at < width)) {
    unsigned char place = text[end];
    unsigned long long part = place < 64 ? a : place < 128 ? b : place < 192 ? c : d;
    if (!(part >> (place % 64) & 1)) break;
    end++;
  }
  return end == at ? -1 : end;
}

/* So many characters. */
long __chcverify_scan_characters(const char *text, long at, int width) {
  if (!text[at]) return -2;
  for (int i = 0; i < width; i++)
    if (!text[at + i]) return at + i;
  return at + width;
}

void __chcverify_scanned_text(char *to, const char *text, long at, long end, int terminated) {
  long i = 0;
  for (; i < end - at; i++) to[i] = text[at + i];
  if (terminated) to[i] = 0;
}

/* What a stream may give: a word or characters of a set, and a null character behind them. */
void __chcverify_any_word(char *to, int width, unsigned long long a, unsigned long long b, unsigned long long c,
                          unsigned long long d) {
  size_t length = __VERIFIER_nondet_ulong();
  __VERIFIER_assume(length >= 1 && (width == 0 || length <= (size_t)width));
  for (size_t i = 0; i < length; i++) {
    unsigned char place = __VERIFIER_nondet_uchar();
    unsigned long long part = place < 64 ? a : place < 128 ? b : place < 192 ? c : d;
    __VERIFIER_assume(part >> (place % 64) & 1);
    to[i] = (char)place;
  }
  to[length] = 0;
}

void __chcverify_any_characters(char *to, int width) {
  for (int i = 0; i < width; i++) to[i] = __VERIFIER_nondet_char();
}
