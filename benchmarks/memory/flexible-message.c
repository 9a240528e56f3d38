// Safe: The block has the size of the record and of its flexible member.
#include <stdlib.h>
struct message { unsigned length; unsigned char data[]; };

static struct message *make(unsigned length) {
  struct message *message = malloc(sizeof *message + length);
  message->length = length;
  for (unsigned i = 0; i < length; i++)
    message->data[i] = i;
  return message;
}

int main(void) {
  struct message *message = make(5);
  int last = message->data[message->length - 1];
  free(message);
  return last;
}
