// chcverify: --property null --timeout 60
#include <stdio.h>
extern FILE *out;
int main(void) { return fprintf(out, "x") < -1; }
