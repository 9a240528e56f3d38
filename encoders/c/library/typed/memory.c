/* Memory functions over elements of one type: what programs mean by memcpy(a, b, n * sizeof *a). */
typedef int T; /* stands for the element type; records, pointers and numbers */
typedef __typeof__(sizeof(0)) size_t;

void *memcpy(T *to, const T *from, size_t size) {
  for (size_t i = 0; i < size / sizeof(T); i++) to[i] = from[i];
  return to;
}

void *memmove(T *to, const T *from, size_t size) {
  if (to < from) {
    for (size_t i = 0; i < size / sizeof(T); i++) to[i] = from[i];
  } else {
    for (size_t i = size / sizeof(T); i > 0; i--) to[i - 1] = from[i - 1];
  }
  return to;
}

/* Called for zero only. */
void *memset(T *to, int value, size_t size) {
  T zero = {0};
  for (size_t i = 0; i < size / sizeof(T); i++) to[i] = zero;
  return to;
}

/* The elements beyond the old object are unspecified, and so is what reading them gives. */
void *realloc(T *old, size_t size) {
  T *fresh = malloc(size);
  if (old)
    for (size_t i = 0; i < size / sizeof(T); i++) fresh[i] = old[i];
  return fresh;
}
