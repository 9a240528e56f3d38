// Safe: From the end to the first element, the pointer never goes below it.
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
  free(p);
  return 0;
}
