// Safe: A structure whose last member is an array of any length.
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

struct samples {
  unsigned count;
  int values[];
};

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 1000;
  struct samples *s = malloc(sizeof(struct samples) + n * sizeof(int));
  s->count = n;
  for (unsigned i = 0; i < s->count; i++)
    s->values[i] = (int)i;
  int last = n > 0 ? s->values[n - 1] : 0;
  free(s);
  return last;
}
