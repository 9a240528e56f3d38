// chcverify: --property unreach-call --engine bounded --timeout 120
/* A circular list through members, as in Linux: records and head are bytes, since both lead to each other. What the
   pointers in them lead to is known. */
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void abort(void);
struct list_head { struct list_head *next, *prev; };
struct item { int a; struct list_head l; };
struct owner { int n; struct list_head items; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - (unsigned long)&((type *)0)->member))

static void list_add_tail(struct list_head *x, struct list_head *head) {
  x->next = head;
  x->prev = head->prev;
  head->prev->next = x;
  head->prev = x;
}

static void add(struct owner *owner, int value) {
  struct item *x = malloc(sizeof *x);
  if (!x) abort();
  x->a = value;
  list_add_tail(&x->l, &owner->items);
  owner->n++;
}

int main(void) {
  struct owner owner = {0, {&owner.items, &owner.items}};
  add(&owner, 3);
  add(&owner, 4);
  int sum = 0, count = 0;
  for (struct list_head *p = owner.items.next; p != &owner.items; p = p->next) {
    sum = 10 * sum + container_of(p, struct item, l)->a;
    count++;
  }
  if (count != owner.n || sum != 34) reach_error();
  return 0;
}
