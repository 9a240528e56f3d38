// jsmn: counting the tokens of four bytes gives what parsing them gives, where that succeeds.
#include "harness.h"
#define JSMN_STATIC
#include "jsmn/jsmn.h"

int main(void) {
  jsmn_parser parser;
  jsmntok_t tokens[3];
  char text[3];
  FILL(text, 3);
  jsmn_init(&parser);
  int count = jsmn_parse(&parser, text, 3, tokens, 3);
  jsmn_init(&parser);
  int counted = jsmn_parse(&parser, text, 3, (jsmntok_t *)0, 0);
  if (count >= 0)
    CHECK(counted == count);
  return 0;
}
