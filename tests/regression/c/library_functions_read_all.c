// chcverify: --property undefined-behaviour --all-checks --timeout 60
#include <err.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
struct record { int a; };

int main(void) {
  char text[2] = {'a', 'b'}, other[4] = {9, 9, 9, 9};
  int numbers[4] = {1, 2, 3, 4};
  struct record *block = calloc(1, sizeof *block);
  switch (__VERIFIER_nondet_int()) {
    case 0: errx(1, "bad %s", text);
    case 1: printf("%m: %s\n", text); break;
    case 2: printf("%1$s\n", text); break;
    case 3: printf("\x25s\n", text); break;
    case 4: write(1, block, 100); break;
    case 5: return memcmp(text, other, 4) < 0;
    case 6: memcpy(numbers, numbers + 1, 12); break;
    case 7: strcpy(other, "abc"); strcpy(other + 1, other); break;
    case 8: printf("%.3s", text); break;
    case 9: printf("%2$d %1$.*3$s", text, 5, 3); break;
    case 10: fwrite(text, 1, 3, stdout); break;
    default:
      printf("%.2s %.*s|%%s", text, 1, text);
      write(1, block, sizeof *block);
      fwrite(text, 1, 2, stdout);
      memcpy(numbers, numbers + 2, 8);
      memcpy(numbers, numbers + 2, 0);
      if (memcmp(text, other, 2)) perror(0);
      warnx("%.*s", 2, text);
  }
  free(block);
  return 0;
}
