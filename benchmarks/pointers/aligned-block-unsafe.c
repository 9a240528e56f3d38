// Unsafe (valid-deref): as aligned-block.c, but for: char *aligned = (char *)(((unsigned long)block + 32) &
// ~15ul);
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 100;
  char *block = malloc(n + 15);
  char *aligned = (char *)(((unsigned long)block + 32) & ~15ul);
  for (unsigned i = 0; i < n; i++)
    aligned[i] = 'a';
  free(block);
  return 0;
}
