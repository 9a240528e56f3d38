// chcverify: --timeout 60
#include <getopt.h>
#include <stddef.h>
extern void reach_error(void);
int main(void) {
  int verbose = 0, index = 0;
  char *arguments[] = {"name", "--loud", NULL};
  struct option options[] = {{"loud", no_argument, &verbose, 3}, {NULL, 0, NULL, 0}};
  while (getopt_long(2, arguments, "", options, &index) != -1) {}
  if (verbose) reach_error();
  return 0;
}
