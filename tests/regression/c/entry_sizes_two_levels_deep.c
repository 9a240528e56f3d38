// chcverify: --timeout 60 --entry sum --entry-sizes --entry-depth 2 --property null
// The size of an array two levels deep says nothing of calls where a pointer on the way to it is null.
struct inner { int *data; unsigned n; };
struct outer { struct inner *in; };
int sum(struct outer *s) {
  int total = 0;
  for (unsigned i = 0; i < s->in->n; i++) total ^= s->in->data[i];
  return total;
}
