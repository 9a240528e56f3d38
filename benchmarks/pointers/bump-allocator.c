// Safe: Pieces of one block, each rounded up to eight bytes.
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

static char *area;
static unsigned long used, size;

static void *piece(unsigned long bytes) {
  unsigned long rounded = (bytes + 7) & ~7ul;
  if (rounded > size - used)
    return 0;
  void *p = area + used;
  used += rounded;
  return p;
}

int main(void) {
  size = 256;
  area = malloc(size);
  while (1) {
    unsigned n = __VERIFIER_nondet_uint() % 32 + 1;
    char *p = piece(n);
    if (!p)
      break;
    p[0] = 1;
    p[n - 1] = 2;
  }
  free(area);
  return 0;
}
