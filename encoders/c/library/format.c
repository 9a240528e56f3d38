/* Formatted output into strings (C11 7.21.6.1), a conversion at a time. `at` counts all characters, also those that do
   not fit; the first `room` of them are written. */
typedef __typeof__(sizeof(0)) size_t;

size_t __chcverify_put(char *to, size_t room, size_t at, char c) {
  if (at < room) to[at] = c;
  return at + 1;
}

static size_t put_many(char *to, size_t room, size_t at, char c, int count) {
  for (; count > 0; count--) at = __chcverify_put(to, room, at, c);
  return at;
}

/* precision: -1 if none is given. */
size_t __chcverify_put_text(char *to, size_t room, size_t at, const char *text, int left, int width, int precision) {
  int length = 0;
  while ((precision < 0 || length < precision) && text[length]) length++;
  if (!left) at = put_many(to, room, at, ' ', width - length);
  for (int i = 0; i < length; i++) at = __chcverify_put(to, room, at, text[i]);
  return left ? put_many(to, room, at, ' ', width - length) : at;
}

size_t __chcverify_put_character(char *to, size_t room, size_t at, char c, int left, int width) {
  if (!left) at = put_many(to, room, at, ' ', width - 1);
  at = __chcverify_put(to, room, at, c);
  return left ? put_many(to, room, at, ' ', width - 1) : at;
}

/* In the locale "C" wide characters of ASCII are one byte. precision: of the bytes. */
static char byte_of(int wide) {
  if (wide < 0 || wide > 127) __chcverify_wide_character();
  return (char)wide;
}

size_t __chcverify_put_wide_text(char *to, size_t room, size_t at, const int *text, int left, int width,
                                 int precision) {
  int length = 0;
  while ((precision < 0 || length < precision) && text[length]) length++;
  if (!left) at = put_many(to, room, at, ' ', width - length);
  for (int i = 0; i < length; i++) at = __chcverify_put(to, room, at, byte_of(text[i]));
  return left ? put_many(to, room, at, ' ', width - length) : at;
}

size_t __chcverify_put_wide_character(char *to, size_t room, size_t at, int wide, int left, int width) {
  return __chcverify_put_character(to, room, at, byte_of(wide), left, width);
}

/* ten: the digit for ten, 'a' or 'A'. sign: 0 if there is none. marked: with 0 or 0x in front. filled: with zeros. */
size_t __chcverify_put_unsigned(char *to, size_t room, size_t at, unsigned long long value, unsigned base, char ten,
                                char sign, int marked, int filled, int left, int width, int precision) {
  char digits[22];
  int count = 0, has_prefix = marked && base == 16 && value != 0;
  for (unsigned long long rest = value; rest; rest /= base) {
    int digit = (int)(rest % base);
    digits[count++] = (char)(digit < 10 ? '0' + digit : ten + (digit - 10));
  }
  int zeros = (precision < 0 ? 1 : precision) - count;
  if (zeros < 0) zeros = 0;
  if (marked && base == 8 && zeros == 0) zeros = 1;
  int total = (sign != 0) + 2 * has_prefix + zeros + count;
  if (filled && !left && precision < 0 && total < width) {
    zeros += width - total;
    total = width;
  }
  if (!left) at = put_many(to, room, at, ' ', width - total);
  if (sign) at = __chcverify_put(to, room, at, sign);
  if (has_prefix) {
    at = __chcverify_put(to, room, at, '0');
    at = __chcverify_put(to, room, at, (char)(ten + ('x' - 'a')));
  }
  at = put_many(to, room, at, '0', zeros);
  while (count > 0) at = __chcverify_put(to, room, at, digits[--count]);
  return left ? put_many(to, room, at, ' ', width - total) : at;
}

/* sign: of numbers that are not negative. */
size_t __chcverify_put_signed(char *to, size_t room, size_t at, long long value, char sign, int filled, int left,
                              int width, int precision) {
  unsigned long long magnitude = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
  char shown = value < 0 ? '-' : sign;
  return __chcverify_put_unsigned(to, room, at, magnitude, 10, 'a', shown, 0, filled, left, width, precision);
}

/* A floating-point number or a pointer: text of any characters, and of any length up to `most` and as many as the precision says.
   standard: the precision if none is given. length: an estimate. */
size_t __chcverify_put_real(char *to, size_t room, size_t at, int length, int most, int standard, int width,
                            int precision) {
  long long longest = (long long)most + (precision < 0 ? standard : precision);
  __VERIFIER_assume(length >= 1 && length >= width && (length <= longest || length == width));
  for (int i = 0; i < length; i++) {
    char c = __chcverify_character_of_real();
    __VERIFIER_assume(c != 0);
    at = __chcverify_put(to, room, at, c);
  }
  return at;
}

/* The null character behind the text, or at the end of `size` characters. */
int __chcverify_put_end(char *to, size_t size, size_t at) {
  if (size > 0) to[at < size ? at : size - 1] = 0;
  return (int)at;
}

/* The block of asprintf, whose address goes to *place. */
char *__chcverify_text_block(char **place, int length) { return *place = malloc((size_t)length + 1); }

/* Wide characters of any values and number (C11 7.29.2.3): -1 where there are as many as `size`, or one cannot be
   written. most: where there
   are no strings, no more can be there. */
int __chcverify_wide_output(int *to, size_t size, int most) {
  int length = __chcverify_length_of_real();
  __VERIFIER_assume(length >= -1 && length <= most && (length < 0 ? (size_t)most >= size : (size_t)length < size));
  for (size_t i = 0; i < (length < 0 ? size : (size_t)length); i++) to[i] = __chcverify_length_of_real();
  if (length >= 0) to[length] = 0;
  return length;
}
