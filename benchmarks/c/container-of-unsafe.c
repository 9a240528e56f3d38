// From a member to the record around it.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct link { struct link *next; };
struct item { int id; struct link link; };
#define ITEM(l) ((struct item *)((char *)(l) - (unsigned long)&((struct item *)0)->link))

int main(void) {
  struct item a = {__VERIFIER_nondet_int()}, b = {7};
  a.link.next = &b.link;
  b.link.next = &a.link;
  ITEM(b.link.next)->id++;
  if (ITEM(a.link.next)->id != 7 || a.id == 8)
    reach_error();
  return 0;
}
