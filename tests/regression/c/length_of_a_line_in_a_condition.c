// chcverify: --property valid-memsafety --engine bounded --timeout 300
// strlen is a loop within the loop: each of its runs goes on about as often as the one before.
#include <stdio.h>
#include <string.h>

int main(void) {
  char line[6];
  line[0] = 0;
  if (!fgets(line, 6, stdin)) line[0] = 0;
  int letters = 0;
  for (unsigned long i = 0; i < strlen(line); i++) letters++;
  return letters > 5;
}
