// jsmn: wrong claim that two tokens are enough room for three bytes ("[1,": more is needed by "[1]" only for three).
#include "harness.h"
#define JSMN_STATIC
#include "jsmn/jsmn.h"

int main(void) {
  jsmn_parser parser;
  jsmntok_t tokens[1];
  char text[3];
  FILL(text, 3);
  jsmn_init(&parser);
  CHECK(jsmn_parse(&parser, text, 3, tokens, 1) != JSMN_ERROR_NOMEM);
  return 0;
}
