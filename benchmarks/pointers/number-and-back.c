// Safe: A pointer is kept as a number, and is a pointer again before each access.
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 100 + 1;
  int *block = malloc(n * sizeof(int));
  unsigned long address = (unsigned long)block;
  for (unsigned i = 0; i < n; i++)
    *(int *)(address + i * sizeof(int)) = 0;
  free((void *)address);
  return 0;
}
