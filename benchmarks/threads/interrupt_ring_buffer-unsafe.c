// chcverify: --interrupt on_byte
// An interrupt handler puts bytes into a ring buffer without locks, and main takes them out: the handler forgets to look for room.
#include <signal.h>

extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

enum { SIZE = 4 };
static int buffer[SIZE];
static volatile sig_atomic_t head, tail; // main changes the head, the handler the tail

static int after(int index) { return index + 1 == SIZE ? 0 : index + 1; }

void on_byte(void) {
  int byte = __VERIFIER_nondet_int(); // the register of the device
  int next = after(tail);
  if (byte <= 0) // no byte
    return;
  buffer[tail] = byte;
  tail = next;
}

int main(void) {
  for (;;) {
    int first = head;
    if (first == tail)
      continue;
    int byte = buffer[first];
    int again = buffer[first];
    head = after(first);
    if (byte != again)
      reach_error();
  }
}
