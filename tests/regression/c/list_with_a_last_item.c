// chcverify: --timeout 60
// A list whose last item is marked, and one whose items have another mark after the third.
typedef unsigned long size_t;
void *malloc(size_t size);
int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct item { int mark; struct item *next; };
static struct item *made(int mark_of_fourth) {
  struct item *first = malloc(sizeof *first), *last = first;
  int count = 0;
  while (__VERIFIER_nondet_int()) {
    last->mark = count == 3 ? mark_of_fourth : 1;
    count++;
    last->next = malloc(sizeof *last);
    last = last->next;
  }
  last->mark = 2;
  last->next = 0;
  return first;
}
int main(void) {
  struct item *item = made(3);
  while (item->mark == 1) item = item->next;
  if (item->mark != 2) reach_error();
  return 0;
}
