// chcverify: --property undefined-behaviour --timeout 60
// Other streams stay open, and a variable may hold an open one again.
#include <stdio.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
  FILE *log = fopen("log", "w");
  if (!log) return 0;
  for (int i = 0; i < __VERIFIER_nondet_int(); i++) {
    FILE *file = fopen("name", "r");
    if (!file) break;
    fprintf(log, "%d\n", fgetc(file));
    fclose(file);
  }
  fputs("end", log);
  fclose(log);
  log = popen("date", "r");
  if (log) {
    fgetc(log);
    pclose(log);
  }
  fputs("end", stdout);
  return 0;
}
