// Safe: The first address in a block that is a multiple of 16, by a mask.
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 100;
  char *block = malloc(n + 15);
  char *aligned = (char *)(((unsigned long)block + 15) & ~15ul);
  for (unsigned i = 0; i < n; i++)
    aligned[i] = 'a';
  free(block);
  return 0;
}
