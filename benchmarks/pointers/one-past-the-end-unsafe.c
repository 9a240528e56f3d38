// Unsafe (valid-deref): as one-past-the-end.c, but for: int found = low <= block + n + 1 && *low == key;
extern unsigned __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 500;
  int *block = malloc((n + 1) * sizeof(int));
  for (unsigned i = 0; i <= n; i++)
    block[i] = __VERIFIER_nondet_int();
  int key = __VERIFIER_nondet_int();
  int *low = block, *high = block + n + 1;
  while (low != high) {
    int *middle = low + (high - low) / 2;
    if (*middle < key)
      low = middle + 1;
    else
      high = middle;
  }
  int found = low <= block + n + 1 && *low == key;
  free(block);
  return found;
}
