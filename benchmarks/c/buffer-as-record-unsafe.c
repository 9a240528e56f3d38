// A buffer of bytes that holds a record.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

struct header { unsigned char version, length; unsigned short port; int rest; };

int main(void) {
  unsigned char buffer[8];
  struct header *h = (struct header *)buffer;
  h->rest = 0;
  h->length = 9;
  h->port = __VERIFIER_nondet_int();
  if (buffer[2] == 1 && h->port == 513)
    reach_error();
  return 0;
}
