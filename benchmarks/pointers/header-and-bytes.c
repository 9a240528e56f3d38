// Safe: A block holds n records and k bytes behind them.
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);

struct record {
  int key;
  short kind;
};

int main(void) {
  unsigned n = __VERIFIER_nondet_uint() % 64;
  unsigned k = __VERIFIER_nondet_uint() % 64;
  struct record *records = malloc(n * sizeof *records + k);
  char *tail = (char *)(records + n);
  for (unsigned i = 0; i < n; i++)
    records[i].key = 1;
  for (unsigned i = 0; i < k; i++)
    tail[i] = 'x';
  free(records);
  return 0;
}
