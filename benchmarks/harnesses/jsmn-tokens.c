// jsmn: of four bytes of text, tokens lie within the text, and there are no more of them than bytes.
#include "harness.h"
#define JSMN_STATIC
#include "jsmn/jsmn.h"

int main(void) {
  jsmn_parser parser;
  jsmntok_t tokens[4];
  char text[4];
  FILL(text, 4);
  jsmn_init(&parser);
  int count = jsmn_parse(&parser, text, 4, tokens, 4);
  CHECK(count <= 4);
  for (int i = 0; i < count; i++)
    CHECK(0 <= tokens[i].start && tokens[i].start <= tokens[i].end && tokens[i].end <= 4);
  return 0;
}
