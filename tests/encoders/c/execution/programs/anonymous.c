/* Several unnamed members in one record are different members. */
extern void show(long value);

struct s {
  struct { int a, b; };
  int c;
  struct { int d; union { int e; unsigned f; }; };
  union { long g; long h; };
};

int main(void) {
  struct s v = {{1, 2}, 3, {4, {5}}, {6}}, w = {.b = 7, .d = 8, .h = 9};
  show(v.a); show(v.b); show(v.c); show(v.d); show(v.e); show(v.g);
  show(w.a); show(w.b); show(w.c); show(w.d); show(w.f); show(w.g);
  v.a = 10; v.d = 11; v.f = 12; w = v; v.d = 0;
  struct s *p = &w;
  int *a = &p->a, *d = &p->d;
  show(*a); show(*d); show(p->e); show(p->g); show(v.d);
  *d = 20;
  show(*a); show(p->d); show(w.b);
  return 0;
}
