/* Memory functions over elements of one type: what programs mean by memcpy(a, b, n * sizeof *a); sorting. */
typedef int T; /* stands for the element type; records, pointers and numbers */
typedef __typeof__(sizeof(0)) size_t;
int compare(const void *left, const void *right); /* stands for the function that a program sorts with */

void __chcverify_part_of_element(void);

/* The size is written as a multiple of the element's. A product may wrap around, to no multiple of that unless it is a
   power of 2. */
void *memcpy(T *to, const T *from, size_t size) {
  if ((sizeof(T) & (sizeof(T) - 1)) && size % sizeof(T)) __chcverify_part_of_element();
  for (size_t i = 0; i < size / sizeof(T); i++) to[i] = from[i];
  return to;
}

void *memmove(T *to, const T *from, size_t size) {
  if ((sizeof(T) & (sizeof(T) - 1)) && size % sizeof(T)) __chcverify_part_of_element();
  if (to < from) {
    for (size_t i = 0; i < size / sizeof(T); i++) to[i] = from[i];
  } else {
    for (size_t i = size / sizeof(T); i > 0; i--) to[i - 1] = from[i - 1];
  }
  return to;
}

/* Called for zero only. */
void *memset(T *to, int value, size_t size) {
  if ((sizeof(T) & (sizeof(T) - 1)) && size % sizeof(T)) __chcverify_part_of_element();
  for (size_t i = 0; i < size / sizeof(T); i++) __chcverify_clear(to[i]);
  return to;
}

/* The elements beyond the old object are unspecified, and so is what reading them gives. */
void *realloc(T *old, size_t size) {
  if ((sizeof(T) & (sizeof(T) - 1)) && size % sizeof(T)) __chcverify_part_of_element();
  T *fresh = malloc(size);
  if (old)
    for (size_t i = 0; i < size / sizeof(T); i++) fresh[i] = old[i];
  return fresh;
}

/* The order of equal elements is unspecified; here they keep theirs, as with glibc while there is memory. */
void qsort(T *base, size_t count, size_t size, int (*order)(const void *, const void *)) {
  for (size_t i = 1; i < count; i++)
    for (size_t j = i; j > 0 && compare(base + (j - 1), base + j) > 0; j--) {
      T other = base[j];
      base[j] = base[j - 1];
      base[j - 1] = other;
    }
}

void *bsearch(const void *key, const T *base, size_t count, size_t size, int (*order)(const void *, const void *)) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = (low + high) / 2;
    int result = compare(key, base + middle);
    if (result == 0) return (void *)(base + middle);
    if (result < 0)
      high = middle;
    else
      low = middle + 1;
  }
  return 0;
}

/* Reads the elements of so many bytes, and does nothing else. */
int __chcverify_read_elements(const T *from, size_t size) {
  int found = 0;
  if (size % sizeof(T)) __chcverify_part_of_element();
  for (size_t i = 0; i < size / sizeof(T); i++)
    if (from[i]) found = 1;
  return found;
}
