// Unsafe (valid-deref): The sender reads the length after the handler has released the message.
#include <stdlib.h>
struct message { unsigned length; unsigned char first; };

static void handle(struct message *message) {
  message->first = 1;
  free(message);
}

int main(void) {
  struct message *message = malloc(sizeof *message);
  message->length = 3;
  unsigned length = message->length;
  handle(message);
  return message->length == 3;
}
