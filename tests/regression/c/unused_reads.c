// chcverify: --entry "f_*" --property bounds,null,lifetime --timeout 120 --no-preconditions
// What the address of an array and the result of a builtin are made of is read, though nobody uses these.
#include <math.h>
#include <stdio.h>
struct row { int before; int cells[3]; };
static struct row **rows, table[2];
static int places[4], grid[2][2];
static int *nowhere;
static double *number;
extern void given(int *);
void f_member(void) { (*rows)->cells; }
void f_index(int i) { (void)table[places[i]].cells; }
void f_argument(int i) { given(grid[places[i]]); }
void f_printed(int i) { printf("%p", (void *)grid[places[i]]); }
void f_expected(void) { __builtin_expect(*nowhere, 0); }
void f_root(void) { sqrt(*number); }
void f_compared(int i) { (void)isgreater(number[i], 1.0); }
void f_valid(void) { table[places[1]].cells; given(grid[places[2]]); (void)sqrt(2.0); }
