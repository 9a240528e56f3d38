// chcverify: --property valid-memsafety --timeout 60
/* What lies before the head of a list is no member of a record around it. */
struct list_head { struct list_head *next, *prev; };
struct item { int a; struct list_head l; };
#define container_of(ptr, type, member) ((type *)((char *)(ptr) - (unsigned long)&((type *)0)->member))
static struct list_head head = {&head, &head};

int main(void) {
  struct item x = {1, {&head, &head}};
  head.next = &x.l;
  struct item *p = container_of(head.next, struct item, l);
  p = container_of(p->l.next, struct item, l);
  return p->a;
}
