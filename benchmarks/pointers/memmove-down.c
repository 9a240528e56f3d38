// Safe: Bytes are taken from the front of a buffer, the rest moves down.
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
    memmove(buffer, buffer + take, fill - take);
    fill -= take;
  }
  free(buffer);
  return 0;
}
