// Safe: `find` returns null where the key is in no entry, and the caller looks at that.
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
  if (entry)
    entry->value++;
  return 0;
}
