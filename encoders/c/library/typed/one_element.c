/* Memory functions over one element of a type: what programs mean by memcpy(a, b, sizeof *a). Without a loop, what is
   written is known behind the call. */
typedef int T; /* stands for the element type; records, pointers and numbers */
typedef __typeof__(sizeof(0)) size_t;

void *memcpy(T *to, const T *from, size_t size) {
  *to = *from;
  return to;
}

void *memmove(T *to, const T *from, size_t size) {
  *to = *from;
  return to;
}

/* Called for zero only. */
void *memset(T *to, int value, size_t size) {
  __chcverify_clear(*to);
  return to;
}
