// chcverify: --timeout 20
#include <stdlib.h>
#include <time.h>
extern void reach_error(void);
int main(void) {
  srand(time(0));
  int first = rand();
  if (rand() < first && first % 10 == 7) reach_error();
  return 0;
}
