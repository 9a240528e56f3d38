struct node { int v; struct node *next, *prev; }; struct tree { short k; struct tree *kid[2]; };
static struct node *push(struct node *h, int v) { struct node *n = malloc(sizeof(struct node)); n->v = v; n->next = h; n->prev = 0; if (h) h->prev = n; return n; }
static struct node *reverse(struct node *h) { struct node *r = 0; while (h) { struct node *n = h->next; h->next = r; r = h; h = n; } return r; }
static struct tree *insert(struct tree *t, short k) { if (!t) { t = calloc(1, sizeof *t); t->k = k; } else { int right = k > t->k; t->kid[right] = insert(t->kid[right], k); } return t; }
static int sum(const struct tree *t, int d) { return t ? d * t->k + sum(t->kid[0], d + 1) + sum(t->kid[1], d + 1) : 0; }
static int length(const char *s) { const char *p = s; while (*p) ++p; return p - s; } static void drop(struct node **h) { struct node *n = *h; *h = n->next; free(n); }
int main(void) {
  struct node *h = 0; for (int i = 1; i < 5; i++) h = push(h, i * i); out_0 = h->v * 100 + h->next->prev->v; h = reverse(h); for (struct node *n = h; n; n = n->next) out_1 = out_1 * 20 + n->v; drop(&h); out_2 = h->v; struct node *rest = h->next; drop(&rest); h->next = rest; out_3 = h->next->v;
  struct tree *t = 0; short keys[] = { 5, 2, 8, 1, 9, -3 }; for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++) t = insert(t, keys[i]); out_4 = sum(t, 1); out_5 = t->kid[0]->kid[0]->k;
  int a[6] = { 1, 2, 3, 4, 5, 6 }, *p = a + 5, *q = &a[1], **pp = &p; out_6 = p - q; out_7 = p > q; out_8 = *(p -= 2) + p[-1] + (*pp)[1]; *pp = q; out_9 = p == q; out_10 = *p++ + *p; out_11 = &a[6] - a; out_12 = (p < a + 6) && (a <= p) && !(p >= &a[5]);
  char s[8] = "hello"; out_13 = length(s) + length(s + 2) * 10; char *c = strchr(s, 'l'); out_14 = c - s; *c = 0; out_15 = strlen(s); int *g = malloc(3 * sizeof *g); g[0] = 4; g[2] = g[0] + 1; int *k = realloc(g, 20); k[4] = 9; out_16 = k[0] + k[2] * 10 + k[4] * 100;
  void *v = a; int *back = v; out_17 = back[2]; struct { int x, y[3]; } r = { 1, { 2, 3, 4 } }, *rp = &r; int *m = &rp->y[1]; *m = 7; out_18 = r.y[1] + m[1] + (m - r.y); int *x = &r.x; *x += 5; out_19 = rp->x; out_20 = (x != 0) + (h == 0) * 2;
  int w[2][3] = { { 1, 2, 3 }, { 4, 5, 6 } }, (*row)[3] = w + 1; out_21 = row[0][1] + (*row)[2] * 10 + row[-1][2] * 100; int *e = w[0]; out_22 = e[2] + *w[1]; out_23 = (&w[1][2] - &w[1][0]) + (&w[1] - &w[0]) * 10; const int *ro = a; out_24 = *ro + ro[3];
  int i = 2, j = 3, *pi = &i; *pi = j; pi = &j; *pi += i; out_25 = i * 10 + j; int *ptrs[3] = { &i, &j, a }; *ptrs[1] = 1; ptrs[2][0] = 8; out_26 = j + a[0]; for (int n = 0; n < 2; n++) ++*ptrs[n]; out_27 = i * 10 + j; int **list = malloc(2 * sizeof(int *)); list[0] = &a[4]; list[1] = 0; out_28 = *list[0] + (list[1] == 0);
  struct node na = { 1 }, nb = { 2, &na }, *cur = &nb; na.next = push(0, 77); out_29 = nb.next->next->v; na = nb; out_30 = na.v + (na.next == &na); cur = cur ? cur->next : 0; out_31 = cur->v; out_32 = sizeof(struct node) * 100 + sizeof(struct tree);
  finish();
}
