// Unsafe (valid-deref): The end is written only into long blocks.
typedef unsigned long size_t;
extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);
extern void *malloc(size_t);
extern void free(void *);

static size_t length(const char *text) {
  const char *end = text;
  while (*end)
    end++;
  return end - text;
}

int main(void) {
  int size = __VERIFIER_nondet_int();
  if (size < 1 || size > 1000)
    return 0;
  char *text = malloc(size);
  if (!text)
    return 0;
  for (int i = 0; i < size - 1; i++)
    text[i] = __VERIFIER_nondet_char();
  if (size > 1)
    text[size - 1] = 0;
  else
    text[0] = 1;
  size_t found = length(text);
  free(text);
  return found > 7;
}
