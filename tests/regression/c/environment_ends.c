// chcverify: --timeout 60
// The third parameter of main leads to strings, too.
#include <assert.h>
int main(int count, char **words, char **settings) {
  if (settings[0] != 0 && settings[0] == settings[1]) assert(0);
  return 0;
}
