/* A ring buffer whose index wraps one element too late. */
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
#define SIZE 16

struct ring { unsigned char data[SIZE]; unsigned head, tail; };

static unsigned next(unsigned at) {
#ifdef FIXED
  return at + 1 >= SIZE ? 0 : at + 1;
#else
  return at + 1 > SIZE ? 0 : at + 1;
#endif
}

static int put(struct ring *r, unsigned char c) {
  if (next(r->head) == r->tail) return 0;
  r->data[r->head] = c;
  r->head = next(r->head);
  return 1;
}

static int get(struct ring *r) {
  if (r->head == r->tail) return -1;
  int c = r->data[r->tail];
  r->tail = next(r->tail);
  return c;
}

int main(void) {
  struct ring r = {.head = 0, .tail = 0};
  while (__VERIFIER_nondet_int())
    if (__VERIFIER_nondet_int()) put(&r, __VERIFIER_nondet_uchar());
    else get(&r);
  return 0;
}
