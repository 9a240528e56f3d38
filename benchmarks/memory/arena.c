// Safe: A bump allocator in 64 bytes: what is taken fits, since `size` is at most what is left.
extern unsigned char __VERIFIER_nondet_uchar(void);
static unsigned char arena[64];
static unsigned used;

static unsigned char *take(unsigned size) {
  if (size > 64 - used)
    return 0;
  unsigned char *start = arena + used;
  used += size;
  return start;
}

int main(void) {
  for (int n = 0; n < 4; n++) {
    unsigned size = __VERIFIER_nondet_uchar();
    if (size == 0)
      continue;
    unsigned char *block = take(size);
    if (block)
      block[size - 1] = 1;
  }
  return 0;
}
