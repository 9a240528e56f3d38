/* Decimal numbers as floating-point ones (C11 7.22.1.3). A product or quotient of two values that are exact is rounded
   once, as the standard library rounds: up to 15 digits and powers of ten up to 22 (Clinger 1990). */
typedef __typeof__(sizeof(0)) size_t;

struct __chcverify_decimal {
  unsigned long long digits; /* as a number, as far as they are significant */
  int count;                 /* of these */
  int exponent;              /* of ten */
  size_t end;                /* in the text; 0 if there is no number */
};

static int is_digit(char c) { return c >= '0' && c <= '9'; }

static int is_letter(char c, char letter) { return c == letter || c == letter - 32; }

static struct __chcverify_decimal decimal(const char *text, size_t i) {
  struct __chcverify_decimal found = {0, 0, 0, 0};
  int point = 0, any = 0;
  for (;; i++) {
    char c = text[i];
    if (c == '.' && !point) {
      point = 1;
      continue;
    }
    if (!is_digit(c)) break;
    any = 1;
    if (point) found.exponent--;
    if (found.count > 0 || c != '0') found.count++;
    if (found.count <= 15)
      found.digits = found.digits * 10 + (c - '0');
    else
      found.exponent++;
  }
  if (!any) return found;
  found.end = i;
  if (is_letter(text[i], 'e')) {
    int negative = text[i + 1] == '-', power = 0;
    i += text[i + 1] == '-' || text[i + 1] == '+' ? 2 : 1;
    for (; is_digit(text[i]); i++) {
      found.end = i + 1;
      if (power < 100000) power = power * 10 + (text[i] - '0');
    }
    found.exponent += negative ? -power : power;
  }
  return found;
}

static size_t start(const char *text) {
  size_t i = 0;
  while (text[i] == ' ' || (text[i] >= '\t' && text[i] <= '\r')) i++;
  if (text[i] == '-' || text[i] == '+') i++;
  return i;
}

/* Is it an infinity, what is no number, or hexadecimal? */
static int is_other(const char *text, size_t i) {
  return (is_letter(text[i], 'i') && is_letter(text[i + 1], 'n') && is_letter(text[i + 2], 'f')) ||
         (is_letter(text[i], 'n') && is_letter(text[i + 1], 'a') && is_letter(text[i + 2], 'n')) ||
         (text[i] == '0' && is_letter(text[i + 1], 'x'));
}

static int may_belong(char c) {
  return is_digit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '.' || c == '+' || c == '-' ||
         c == '(' || c == ')' || c == '_';
}

/* The end of such a number: anywhere among the characters that may belong to it, which are read up to there. */
static size_t end_of_other(const char *text, size_t i) {
  do i++;
  while (may_belong(text[i]) && __chcverify_goes_on());
  return i;
}

double strtod(const char *text, char **end) {
  size_t first = start(text);
  if (is_other(text, first)) {
    size_t last = end_of_other(text, first);
    if (end) *end = (char *)text + last;
    return __chcverify_value_of_strtod();
  }
  struct __chcverify_decimal found = decimal(text, first);
  if (end) *end = (char *)text + found.end;
  double value = (double)found.digits, power = 1.0;
  int exponent = found.exponent;
  if (found.count > 15 || (found.count > 0 && (exponent < -22 || exponent > 22))) {
    value = __chcverify_value_of_strtod();
    __VERIFIER_assume(value >= 0.0);
  } else if (found.count > 0) {
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--) power *= 10.0;
    value = exponent < 0 ? value / power : value * power;
  }
  return found.end > 0 && first > 0 && text[first - 1] == '-' ? -value : value;
}

float strtof(const char *text, char **end) {
  size_t first = start(text);
  if (is_other(text, first)) {
    size_t last = end_of_other(text, first);
    if (end) *end = (char *)text + last;
    return __chcverify_value_of_strtof();
  }
  struct __chcverify_decimal found = decimal(text, first);
  if (end) *end = (char *)text + found.end;
  float value = (float)found.digits, power = 1.0f;
  int exponent = found.exponent;
  if (found.count > 7 || (found.count > 0 && (exponent < -10 || exponent > 10))) {
    value = __chcverify_value_of_strtof();
    __VERIFIER_assume(value >= 0.0f);
  } else if (found.count > 0) {
    for (int i = exponent < 0 ? -exponent : exponent; i > 0; i--) power *= 10.0f;
    value = exponent < 0 ? value / power : value * power;
  }
  return found.end > 0 && first > 0 && text[first - 1] == '-' ? -value : value;
}

double atof(const char *text) { return strtod(text, 0); }
