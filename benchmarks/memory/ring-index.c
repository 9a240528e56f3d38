// Safe: A ring buffer of samples. `head` wraps before it is used, so it is below 8 at each write.
extern int __VERIFIER_nondet_int(void);
static int samples[8];
static unsigned head;

static void put(int sample) {
  samples[head] = sample;
  head = head + 1;
  if (head >= 8)
    head = 0;
}

int main(void) {
  while (__VERIFIER_nondet_int())
    put(__VERIFIER_nondet_int());
  return 0;
}
