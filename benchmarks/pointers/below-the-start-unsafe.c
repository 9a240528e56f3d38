// Unsafe (valid-deref): as below-the-start.c, but for: static unsigned length(void *p) { return ((unsigned
// *)p)[-2]; }
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

static void *take(unsigned size) {
  unsigned *block = malloc(sizeof(unsigned) + size);
  *block = size;
  return block + 1;
}

static unsigned length(void *p) { return ((unsigned *)p)[-2]; }

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 200;
  char *text = take(n);
  for (unsigned i = 0; i < length(text); i++)
    text[i] = ' ';
  free((unsigned *)text - 1);
  return 0;
}
