// chcverify: --engine df --jobs 1 --timeout 600
// The back-translation of the loop of strcmp must not eliminate the index: that gave a formula of 10^6 nodes.
#include <string.h>
void reach_error(void) {}

int main(void) {
  const char *word = "no";
  if (strcmp(word, "no") != 0 || strcmp(word, "on") > 0)
    reach_error();
  if (strchr(word, 'o') != word + 1)
    reach_error();
  return 0;
}
