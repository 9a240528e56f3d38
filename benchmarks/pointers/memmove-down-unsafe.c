// Unsafe (valid-deref): as memmove-down.c, but for: memmove(buffer, buffer + take, size - take + 1);
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void *memmove(void *, const void *, unsigned long);

int main(void) {
  unsigned size = __VERIFIER_nondet_uint() % 100 + 1;
  char *buffer = malloc(size);
  for (unsigned i = 0; i < size; i++)
    buffer[i] = (char)i;
  unsigned fill = size;
  while (fill > 0) {
    unsigned take = __VERIFIER_nondet_uint() % 8;
    if (take > fill)
      take = fill;
    memmove(buffer, buffer + take, size - take + 1);
    fill -= take;
  }
  free(buffer);
  return 0;
}
