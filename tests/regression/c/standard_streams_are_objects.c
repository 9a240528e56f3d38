// chcverify: --property unreach-call,free --all-checks --timeout 60
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  FILE *log = fopen("log", "w");
  if (log == NULL) log = stderr;
  if (!stdout || stdout == stderr || log == stdout) abort(), __builtin_unreachable();
  if (!log) { extern void reach_error(void); reach_error(); }
  fprintf(log, "%d\n", 1);
  fclose(log);
  free(stdout);
  return 0;
}
