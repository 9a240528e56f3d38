// chcverify: --property undefined-behaviour --all-checks --timeout 60
#include <stdio.h>

int main(int count, char **arguments) {
  FILE *log = fopen("log", "w");
  fflush(NULL);
  if (count > 5) fclose(log);
  if (!log) log = stdout;
  fprintf(log, "%d\n", count);
  fputc('x', stderr);
  if (count > 2) return fgetc(NULL);
  return fgetc(stdin);
}
