// chcverify: --timeout 60
// What every block of a list holds is shown without checks of memory, too.
typedef unsigned long size_t;
void *malloc(size_t size);
int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct item { int value; struct item *next; };
int main(void) {
  struct item *items = 0, *item;
  while (__VERIFIER_nondet_int()) {
    item = malloc(sizeof *item);
    item->value = 7;
    item->next = items;
    items = item;
  }
  for (item = items; item; item = item->next)
    if (item->value != 7) reach_error();
  return 0;
}
