struct value { int kind; union { int i; char *s; double d; struct value *next; int (*f)(int); } u; }; struct node { int v; struct node *next; }; struct list { int n; struct node *head, *last; };
struct link { struct link *next, *prev; }; struct item { int id; struct link link; char tail; }; struct flexible { int n; short data[]; }; struct pair2 { int a, b; };
static int twice(int x) { return 2 * x; } static int measure(struct value *v) { switch (v->kind) { case 0: return v->u.i; case 1: return v->u.s[1]; case 2: return 1 + measure(v->u.next); case 3: return v->u.f(21); } return v->u.d; }
static void insert(struct node **at, struct node *n) { while (*at && (*at)->v < n->v) at = &(*at)->next; n->next = *at; *at = n; }
static int drop(struct node **at, int v) { for (; *at; at = &(*at)->next) if ((*at)->v == v) { *at = (*at)->next; return 1; } return 0; }
static void put(struct list *l, struct node *n) { struct node **at = &l->head; while (*at) at = &(*at)->next; *at = n; n->next = 0; l->n++; }
#define item_of(p) ((struct item *)((char *)(p) - __builtin_offsetof(struct item, link)))
int main(void) {
  struct value a = { 0, { 7 } }, b = { 1 }, c = { 2 }, d = { 3 }, e = { 4 }; b.u.s = "xyz"; c.u.next = &b; d.u.f = twice; e.u.d = 2.5; out_0 = measure(&a); out_1 = measure(&b); out_2 = measure(&c); out_3 = measure(&d); out_4 = measure(&e);
  struct value k = c; k.u.next = &a; out_5 = measure(&k) * 10 + measure(&c); c = d; out_6 = measure(&c); struct value *h = malloc(2 * sizeof *h); h[0] = b; h[1] = k; out_7 = measure(h) + measure(h + 1); memset(&k, 0, sizeof k); out_8 = k.u.next == 0; k.u.s = 0; out_9 = k.u.i; out_10 = measure(&k);
  struct node *head = 0, n1 = { 3 }, n2 = { 1 }, *n3 = malloc(sizeof(struct node)); n3->v = 2; insert(&head, &n1); insert(&head, &n2); insert(&head, n3); out_11 = head->v * 100 + head->next->v * 10 + head->next->next->v; out_12 = drop(&head, 2) * 10 + drop(&head, 9); out_13 = head->next == &n1; out_14 = head->next->next == 0;
  struct list l = { 0 }; put(&l, &n2); put(&l, n3); put(&l, &n1); out_15 = l.n * 1000 + l.head->v * 100 + l.head->next->v * 10 + l.head->next->next->v; out_16 = l.last == 0;
  struct item x = { 1, { 0, 0 }, 'x' }, y = { 2, { &x.link, 0 }, 'y' }; x.link.prev = &y.link; out_17 = item_of(y.link.next)->id * 10 + item_of(x.link.prev)->tail; struct link *at = &y.link; out_18 = item_of(at)->id; item_of(at->next)->tail = 'q'; out_19 = x.tail;
  struct flexible *f1 = malloc(sizeof *f1 + 6), *f2 = malloc(sizeof *f2 + 6); f1->n = 3; f2->n = 2; for (int i = 0; i < f1->n; i++) { f1->data[i] = i; f2->data[i] = 10 * i; } out_20 = f1->data[1] + f2->data[2]; out_21 = (char *)&f1->data[1] - (char *)f1;
  struct pair2 p = { 1, 2 }; int *either = __VERIFIER_nondet_int() ? &p.a : &p.b; *either = 9; out_22 = p.a * 10 + p.b; int single = 4, *some = out_22 > 50 ? &single : &p.b; *some += 1; out_23 = single * 10 + p.b; void *mem = malloc(32); int **cell = mem; *cell = &single; out_24 = **cell; *(long long *)(mem + 8) = -1; *(short *)((char *)mem + 10) = 5; out_25 = *(long long *)(mem + 8); out_26 = *cell == &single;
  int (*table[2])(int) = { twice, 0 }; void *raw = malloc(sizeof table); memcpy(raw, table, sizeof table); out_27 = table[1] == 0; char *words[3] = { "ab", "cd" }; char **w = words; while (*w) w++; out_28 = w - words; out_29 = words[1][0]; union { struct node *n; struct list *l; } un; un.n = &n1; out_30 = un.n->v; struct { int tag; void *p; } box = { 1, &n1 }; out_31 = ((struct node *)box.p)->v;
  finish();
}
