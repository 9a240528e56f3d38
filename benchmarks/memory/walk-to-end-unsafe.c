// Unsafe (valid-deref): The element behind the last one is read, too.
struct entry { int key; int value; };
static const struct entry table[3] = {{1, 10}, {2, 20}, {7, 70}};

static int find(int key) {
  const struct entry *end = table + 3;
  for (const struct entry *p = table; p <= end; p++)
    if (p->key == key)
      return p->value;
  return -1;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
  return find(__VERIFIER_nondet_int());
}
