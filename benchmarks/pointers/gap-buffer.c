// Safe: A text with a gap: the part behind the gap moves when the gap does.
extern unsigned __VERIFIER_nondet_uint(void);
typedef unsigned long size_t;
extern void *malloc(size_t);
extern void free(void *);
extern void *memmove(void *, const void *, unsigned long);

int main(void) {
  unsigned size = __VERIFIER_nondet_uint() % 50 + 10;
  char *text = malloc(size);
  for (unsigned i = 0; i < size; i++)
    text[i] = 'a';
  unsigned begin = 0, end = 10; // the gap: begin <= i < end
  while (__VERIFIER_nondet_uint()) {
    unsigned to = __VERIFIER_nondet_uint() % size;
    if (to <= begin) {
      unsigned moved = begin - to;
      memmove(text + end - moved, text + to, moved);
      begin = to;
      end = end - moved;
    } else if (to - begin <= size - end) {
      unsigned moved = to - begin;
      memmove(text + begin, text + end, moved);
      begin = to;
      end = end + moved;
    }
  }
  free(text);
  return 0;
}
