// Unsafe (valid-deref): as walk-backwards.c, but for: if (n == 17)
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 100;
  long *block = malloc(n * sizeof *block);
  long *p = block + n;
  while (p > block)
    *--p = 0;
  if (n == 17)
    *--p = 0;
  free(p);
  return 0;
}
