// Unsafe (valid-deref): The caller does not look at it.
extern int __VERIFIER_nondet_int(void);
struct entry { int key; int value; };
static struct entry entries[4] = {{3, 1}, {5, 1}, {8, 2}, {13, 3}};

static struct entry *find(int key) {
  for (int i = 0; i < 4; i++)
    if (entries[i].key == key)
      return &entries[i];
  return 0;
}

int main(void) {
  struct entry *entry = find(__VERIFIER_nondet_int());
  entry->value++;
  return 0;
}
