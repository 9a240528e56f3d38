/* A vector: the capacity is set although no block of that size was to be had. */
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);

struct vector { int *items; unsigned count, capacity; };

static int push(struct vector *v, int item) {
  if (v->count == v->capacity) {
    if (v->capacity >= 1u << 20) return -1;
    unsigned capacity = v->capacity ? 2 * v->capacity : 4;
    int *items = realloc(v->items, capacity * sizeof(int));
#ifdef FIXED
    if (!items) return -1;
    v->items = items;
    v->capacity = capacity;
#else
    v->capacity = capacity;
    if (!items) return -1;
    v->items = items;
#endif
  }
  v->items[v->count++] = item;
  return 0;
}

int main(void) {
  struct vector v = {NULL, 0, 0};
  while (__VERIFIER_nondet_int()) push(&v, __VERIFIER_nondet_int());
  free(v.items);
  return 0;
}
