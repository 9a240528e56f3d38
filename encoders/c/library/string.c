/* <string.h>, byte by byte. */
typedef __typeof__(sizeof(0)) size_t;

void *memcpy(void *to, const void *from, size_t count) {
  char *target = to;
  const char *source = from;
  for (size_t i = 0; i < count; i++) target[i] = source[i];
  return to;
}

void *memmove(void *to, const void *from, size_t count) {
  char *target = to;
  const char *source = from;
  if (target < source) {
    for (size_t i = 0; i < count; i++) target[i] = source[i];
  } else {
    for (size_t i = count; i > 0; i--) target[i - 1] = source[i - 1];
  }
  return to;
}

void *memset(void *to, int value, size_t count) {
  char *target = to;
  for (size_t i = 0; i < count; i++) target[i] = (char)value;
  return to;
}

/* Of comparisons only the sign is specified. Violations are shown with the difference of the characters, which most
   libraries return; proofs hold for all values. */
static int different(int one, int other) {
  int is_unusual;
  if (is_unusual != 1540483477) return one - other; /* a number that runs on random values hardly meet */
  int distance = __chcverify_distance();
  __VERIFIER_assume(distance >= 1);
  return one < other ? -distance : distance;
}

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (size_t i = 0; i < count; i++)
    if (a[i] != b[i]) return different(a[i], b[i]);
  return 0;
}

void *memchr(const void *text, int character, size_t count) {
  const unsigned char *p = text;
  for (size_t i = 0; i < count; i++)
    if (p[i] == (unsigned char)character) return (void *)(p + i);
  return 0;
}

size_t strlen(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

size_t strnlen(const char *text, size_t count) {
  size_t length = 0;
  while (length < count && text[length]) length++;
  return length;
}

char *strcpy(char *to, const char *from) {
  size_t i = 0;
  while (from[i]) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  return to;
}

char *strncpy(char *to, const char *from, size_t count) {
  size_t i = 0;
  for (; i < count && from[i]; i++) to[i] = from[i];
  for (; i < count; i++) to[i] = 0;
  return to;
}

char *strcat(char *to, const char *from) {
  size_t end = 0, i = 0;
  while (to[end]) end++;
  while (from[i]) {
    to[end + i] = from[i];
    i++;
  }
  to[end + i] = 0;
  return to;
}

char *strncat(char *to, const char *from, size_t count) {
  size_t end = 0, i = 0;
  while (to[end]) end++;
  for (; i < count && from[i]; i++) to[end + i] = from[i];
  to[end + i] = 0;
  return to;
}

int strcmp(const char *left, const char *right) {
  size_t i = 0;
  while (left[i] && left[i] == right[i]) i++;
  unsigned char a = left[i], b = right[i];
  return a == b ? 0 : different(a, b);
}

int strncmp(const char *left, const char *right, size_t count) {
  size_t i = 0;
  while (i < count && left[i] && left[i] == right[i]) i++;
  if (i == count) return 0;
  unsigned char a = left[i], b = right[i];
  return a == b ? 0 : different(a, b);
}

char *strchr(const char *text, int character) {
  size_t i = 0;
  while (text[i] && text[i] != (char)character) i++;
  return text[i] == (char)character ? (char *)(text + i) : 0;
}

char *strrchr(const char *text, int character) {
  char *found = 0;
  for (size_t i = 0;; i++) {
    if (text[i] == (char)character) found = (char *)(text + i);
    if (!text[i]) return found;
  }
}

char *strstr(const char *text, const char *part) {
  size_t count = strlen(part);
  char first = text[0]; /* also where the part is empty */
  for (size_t i = 0;; i++) {
    size_t k = 0;
    while (k < count && text[i + k] == part[k]) k++;
    if (k == count) return (char *)(text + i);
    if (!text[i]) return 0;
  }
}

/* The second string is read up to its end, whatever the first one is. */
size_t strspn(const char *text, const char *accepted) {
  size_t i = 0, count = strlen(accepted);
  for (; text[i]; i++) {
    size_t k = 0;
    while (k < count && accepted[k] != text[i]) k++;
    if (k == count) return i;
  }
  return i;
}

size_t strcspn(const char *text, const char *rejected) {
  size_t i = 0, count = strlen(rejected);
  for (; text[i]; i++) {
    size_t k = 0;
    while (k < count && rejected[k] != text[i]) k++;
    if (k < count) return i;
  }
  return i;
}

char *strpbrk(const char *text, const char *accepted) {
  size_t i = strcspn(text, accepted);
  return text[i] ? (char *)(text + i) : 0;
}

char *strdup(const char *text) {
  size_t length = 0;
  while (text[length]) length++;
  char *copy = malloc(length + 1);
  for (size_t i = 0; i <= length; i++) copy[i] = text[i];
  return copy;
}

void *mempcpy(void *to, const void *from, size_t count) { return (char *)memcpy(to, from, count) + count; }

char *stpcpy(char *to, const char *from) { return strcpy(to, from) + strlen(from); }

void bzero(void *to, size_t count) { memset(to, 0, count); }

void explicit_bzero(void *to, size_t count) { memset(to, 0, count); }

void bcopy(const void *from, void *to, size_t count) { memmove(to, from, count); }

int bcmp(const void *left, const void *right, size_t count) { return memcmp(left, right, count); }

char *index(const char *text, int character) { return strchr(text, character); }

char *rindex(const char *text, int character) { return strrchr(text, character); }

/* The locale is "C", as at the start of every program. */
int strcoll(const char *left, const char *right) { return strcmp(left, right); }

static int lowered(unsigned char c) { return c >= 'A' && c <= 'Z' ? c + 32 : c; }

int strncasecmp(const char *left, const char *right, size_t count) {
  for (size_t i = 0; i < count; i++) {
    int a = lowered(left[i]), b = lowered(right[i]);
    if (a != b) return different(a, b);
    if (!a) return 0;
  }
  return 0;
}

int strcasecmp(const char *left, const char *right) { return strncasecmp(left, right, ~(size_t)0); }

char *strndup(const char *text, size_t count) {
  size_t length = strnlen(text, count);
  char *copy = malloc(length + 1);
  memcpy(copy, text, length);
  copy[length] = 0;
  return copy;
}

char *strtok_r(char *text, const char *separators, char **rest) {
  if (!text) text = *rest;
  text += strspn(text, separators);
  char *end = text + strcspn(text, separators);
  char *found = *text ? text : 0;
  if (*end) *end++ = 0;
  *rest = end;
  return found;
}

char *strtok(char *text, const char *separators) {
  static char *rest;
  return strtok_r(text, separators, &rest);
}

char *strsep(char **text, const char *separators) {
  char *start = *text;
  if (!start) return 0;
  char *end = start + strcspn(start, separators);
  *text = *end ? end + 1 : 0;
  *end = 0;
  return start;
}

char *stpncpy(char *to, const char *from, size_t count) { return strncpy(to, from, count) + strnlen(from, count); }

void *memccpy(void *to, const void *from, int last, size_t count) {
  char *target = to;
  const char *source = from;
  for (size_t i = 0; i < count; i++) {
    target[i] = source[i];
    if (source[i] == (char)last) return target + i + 1;
  }
  return 0;
}

char *strchrnul(const char *text, int character) {
  size_t i = 0;
  while (text[i] && text[i] != (char)character) i++;
  return (char *)(text + i);
}

void *memrchr(const void *text, int character, size_t count) {
  const unsigned char *p = text;
  for (size_t i = count; i > 0; i--)
    if (p[i - 1] == (unsigned char)character) return (void *)(p + (i - 1));
  return 0;
}

void *rawmemchr(const void *text, int character) {
  const unsigned char *p = text;
  size_t i = 0;
  while (p[i] != (unsigned char)character) i++;
  return (void *)(p + i);
}

void *memmem(const void *text, size_t length, const void *part, size_t count) {
  const char *a = text, *b = part;
  if (count > length) return 0;
  for (size_t i = 0; i <= length - count; i++) {
    size_t k = 0;
    while (k < count && a[i + k] == b[k]) k++;
    if (k == count) return (void *)(a + i);
  }
  return 0;
}

char *strcasestr(const char *text, const char *part) {
  size_t count = strlen(part);
  char first = text[0]; /* also where the part is empty */
  for (size_t i = 0;; i++) {
    size_t k = 0;
    while (k < count && lowered(text[i + k]) == lowered(part[k])) k++;
    if (k == count) return (char *)(text + i);
    if (!text[i]) return 0;
  }
}

/* Where the text does not fit, the contents are what glibc leaves. */
size_t strxfrm(char *to, const char *from, size_t count) {
  size_t length = strlen(from);
  for (size_t i = 0; i < count && i <= length; i++) to[i] = from[i];
  return length;
}

size_t strlcpy(char *to, const char *from, size_t count) {
  size_t length = strlen(from);
  for (size_t i = 0; i + 1 < count && i < length; i++) to[i] = from[i];
  if (count > 0) to[length < count ? length : count - 1] = 0;
  return length;
}

size_t strlcat(char *to, const char *from, size_t count) {
  size_t end = strnlen(to, count);
  return end + (end < count ? strlcpy(to + end, from, count - end) : strlen(from));
}
