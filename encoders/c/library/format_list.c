/* Formatted output into strings where the format is known when the program runs, and the arguments are in a va_list
   (C11 7.21.6.12, 7.21.6.13; POSIX vasprintf). One loop reads a conversion, and one writes its text: blanks, a sign, a
   prefix, zeros, characters, blanks. */
typedef __typeof__(sizeof(0)) size_t;
int __chcverify_length_of_real(void);
char __chcverify_character_of_real(void);
void __chcverify_other_conversion(void);

int vsnprintf(char *to, size_t size, const char *format, __builtin_va_list list) {
  size_t at = 0;
  for (size_t i = 0; format[i]; i++) {
    const char *text = 0; /* the characters, if they are not the digits */
    char digits[22], sign = 0, kind = '%';
    int length = 1, zeros = 0, has_prefix = 0, is_real = 0, longs = 0, shorts = 0;
    int left = 0, filled = 0, marked = 0, width = 0, precision = -1, reads = format[i] == '%';
    while (reads) {
      kind = format[++i];
      if (kind == '*') {
        int given = __builtin_va_arg(list, int);
        if (precision >= 0) {
          precision = given < 0 ? -1 : given;
        } else {
          left = left || given < 0;
          width = given < 0 ? -given : given;
        }
      } else if (kind == '.') {
        precision = 0;
      } else if (kind >= '0' && kind <= '9' && precision >= 0) {
        precision = 10 * precision + (kind - '0');
      } else if (kind >= '0' && kind <= '9' && (width > 0 || kind != '0')) {
        width = 10 * width + (kind - '0');
      } else if (kind == '-') {
        left = 1;
      } else if (kind == '0') {
        filled = 1;
      } else if (kind == '#') {
        marked = 1;
      } else if (kind == '+' || kind == ' ') {
        sign = sign == '+' ? sign : kind;
      } else if (kind == 'l' || kind == 'z' || kind == 't') {
        longs++;
      } else if (kind == 'j') {
        longs = 2;
      } else if (kind == 'h') {
        shorts++;
      } else {
        reads = 0;
      }
    }
    if (kind != 'd' && kind != 'i') sign = 0;
    if (kind == '%') {
      text = format + i;
    } else if (kind == 's' && !longs) {
      text = __builtin_va_arg(list, char *);
      for (length = 0; (precision < 0 || length < precision) && text[length];) length++;
    } else if (kind == 'c' && !longs) {
      digits[0] = (char)__builtin_va_arg(list, int);
    } else if (kind == 'd' || kind == 'i' || kind == 'u' || kind == 'x' || kind == 'X' || kind == 'o') {
      int is_wide = longs > 1 || (longs == 1 && sizeof(long) == 8);
      long long value = is_wide ? __builtin_va_arg(list, long long) : __builtin_va_arg(list, int);
      unsigned base = kind == 'o' ? 8 : kind == 'x' || kind == 'X' ? 16 : 10;
      char ten = kind == 'X' ? 'A' : 'a';
      unsigned long long rest = value;
      if (kind == 'd' || kind == 'i') {
        if (shorts) value = shorts == 1 ? (short)value : (signed char)value;
        rest = value < 0 ? 0 - (unsigned long long)value : (unsigned long long)value;
        if (value < 0) sign = '-';
      } else if (shorts) {
        rest = shorts == 1 ? (unsigned short)value : (unsigned char)value;
      } else if (!is_wide) {
        rest = (unsigned)value;
      }
      has_prefix = marked && base == 16 && rest != 0;
      for (length = 0; rest; rest /= base) {
        int digit = (int)(rest % base);
        digits[length++] = (char)(digit < 10 ? '0' + digit : ten + (digit - 10));
      }
      zeros = (precision < 0 ? 1 : precision) - length;
      if (zeros < 0) zeros = 0;
      if (marked && base == 8 && zeros == 0) zeros = 1;
      int total = (sign != 0) + 2 * has_prefix + zeros + length;
      if (filled && !left && precision < 0 && total < width) zeros += width - total;
    } else if (kind == 'f' || kind == 'F' || kind == 'e' || kind == 'E' || kind == 'g' || kind == 'G') {
      double value = __builtin_va_arg(list, double);
      int longest = (kind == 'f' || kind == 'F' ? 311 : 8) + (precision < 0 ? 6 : precision);
      is_real = 1;
      length = __chcverify_length_of_real();
      __VERIFIER_assume(length >= 1 && length >= width && (length <= longest || length == width));
    } else {
      __chcverify_other_conversion();
    }
    int total = (sign != 0) + 2 * has_prefix + zeros + length;
    int first = left || width < total ? 0 : width - total, end = width < total ? total : width;
    for (int k = 0; k < end; k++) {
      int position = k - first - (sign != 0) - 2 * has_prefix - zeros; /* in the characters */
      char c = ' ';
      if (is_real) {
        c = __chcverify_character_of_real();
        __VERIFIER_assume(c != 0);
      } else if (position >= 0 && position < length) {
        c = text ? text[position] : digits[length - 1 - position];
      } else if (position < 0 && k >= first) {
        if (sign && k == first)
          c = sign;
        else if (position < -zeros)
          c = position == -zeros - 1 ? kind : '0';
        else
          c = '0';
      }
      if (at + 1 < size) to[at] = c;
      at++;
    }
  }
  if (size > 0) to[at < size ? at : size - 1] = 0;
  return (int)at;
}

int vsprintf(char *to, const char *format, __builtin_va_list list) { return vsnprintf(to, (size_t)-1, format, list); }

/* The text is made twice, first to count its characters; those of floating-point numbers are as many both times. */
int vasprintf(char **place, const char *format, __builtin_va_list list) {
  __builtin_va_list copy;
  __builtin_va_copy(copy, list);
  int length = vsnprintf(0, 0, format, copy);
  __builtin_va_end(copy);
  char *text = malloc((size_t)length + 1);
  __VERIFIER_assume(vsnprintf(text, (size_t)length + 1, format, list) == length);
  *place = text;
  return length;
}
