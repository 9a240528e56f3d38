// Safe: Free slots are linked by index; the last one has the link -1, which ends the list.
struct slot { int next; int value; };
static struct slot pool[4];
static int first = 0;

static void begin(void) {
  for (int i = 0; i < 4; i++)
    pool[i].next = i < 3 ? i + 1 : -1;
}

static int take(void) {
  int slot = first;
  if (slot >= 0)
    first = pool[slot].next;
  return slot;
}

int main(void) {
  begin();
  for (int n = 0; n < 6; n++) {
    int slot = take();
    if (slot < 0)
      break;
    pool[slot].value = n;
  }
  return 0;
}
