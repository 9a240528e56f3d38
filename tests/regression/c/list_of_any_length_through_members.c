// chcverify: --property unreach-call --timeout 120
/* A list of any length through members, whose head is in no record: pointers to members lead to the records around. */
extern void reach_error(void);
extern void *malloc(unsigned long);
extern void abort(void);
extern int __VERIFIER_nondet_int(void);
struct list_head { struct list_head *next, *prev; };
struct item { int a; struct list_head l; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - (unsigned long)&((type *)0)->member))
static struct list_head head = {&head, &head};

static void list_add(struct list_head *x, struct list_head *at) {
  x->next = at->next;
  x->prev = at;
  at->next->prev = x;
  at->next = x;
}

int main(void) {
  int n = __VERIFIER_nondet_int();
  for (int i = 0; i < n; i++) {
    struct item *x = malloc(sizeof *x);
    if (!x) abort();
    x->a = 7;
    list_add(&x->l, &head);
  }
  for (struct item *p = container_of(head.next, struct item, l); &p->l != &head;
       p = container_of(p->l.next, struct item, l))
    if (p->a != 7) reach_error();
  return 0;
}
