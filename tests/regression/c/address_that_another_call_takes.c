// chcverify: --timeout 30
// A callee keeps the address of a local variable; the next one may have the same.
void reach_error(void);
struct item { struct item *next; };
static struct item *head;

static void push(struct item *item) {
  item->next = head;
  head = item;
}

static void step(void) {
  struct item item;
  push(&item);
}

int main(void) {
  step();
  struct item *first = head;
  step();
  if (first != head) reach_error();
  return 0;
}
