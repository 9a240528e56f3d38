struct node { short k; int v[2]; struct node *next; };
static struct node *make(int cleared) { struct node *n; if (cleared) n = calloc(1, sizeof *n); else { n = malloc(sizeof *n); n->v[0] = 5; n->v[1] = 6; n->k = 7; n->next = n; } return n; }
int main(void) {
  int *a = calloc(4, sizeof(int)), *b = malloc(4 * sizeof(int)), *c; b[0] = b[2] = 9; out_0 = a[2] + a[3]; out_1 = a == b; c = out_1 ? a : b; out_2 = c[2]; a[2] = 4; out_3 = a[2] * 10 + c[2]; a = calloc(4, sizeof *a); out_4 = a[2] + a[0]; b[2]++; out_5 = a[2] * 10 + b[2];
  struct node *n = make(0), *m = make(1), *k = make(0); out_6 = n->v[1] * 100 + m->v[1] * 10 + k->k; out_7 = m->next == 0 && n->next == n; m->next = n; out_8 = m->next->v[0]; for (int i = 0; i < 3; i++) { struct node *z = make(i & 1); z->v[0] += i; out_9 = out_9 * 10 + z->v[0] + z->k; }
  finish();
}
