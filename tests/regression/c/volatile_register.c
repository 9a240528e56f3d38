// chcverify: --timeout 60 --volatile fresh
// A register of a device, through a pointer, a member and a typedef.
extern void reach_error(void);
typedef volatile unsigned char reg;
struct device { reg status; unsigned char mask; };
static struct device bus;
int main(void) {
  struct device *d = &bus;
  d->mask = 1;
  d->status = 0;
  if (d->mask != 1) reach_error();
  while (!(d->status & d->mask)) { }
  unsigned char *plain = &d->mask;
  volatile unsigned char *again = plain;
  if (*plain != 1) reach_error();
  if (*again != 1) reach_error();
  return 0;
}
