// chcverify: --property uninitialised --all-checks --timeout 30
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
extern int __VERIFIER_nondet_int(void);
struct message { int first, second; };

int main(void) {
  int number, numbers[3];
  char text[4];
  struct message message;
  message.first = 1;
  numbers[0] = numbers[1] = 2;
  text[0] = text[1] = 'a';
  switch (__VERIFIER_nondet_int()) {
    case 0: exit(number);
    case 1: write(1, numbers, sizeof numbers); break;
    case 2: printf("%.3s", text); break;
    case 3: malloc(number); break;
    case 4: fwrite(&message, sizeof message, 1, stdout); break;
    default:
      write(1, numbers, 2 * sizeof *numbers);
      printf("%.2s", text);
      fwrite(text, 1, 2, stdout);
  }
  return 0;
}
