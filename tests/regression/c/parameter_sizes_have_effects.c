// chcverify: --entry "f_*" --property assertion,null --timeout 60
// The size of a parameter's array is evaluated when the function begins (C11 6.9.1), by gcc where it has effects.
#include <assert.h>
static int calls, *nowhere;
static int counted(int n) { calls++; return n; }
static void one(int n, int cells[counted(n)]) { (void)cells; }
static void two(int n, int cells[counted(n)][counted(2)]) { (void)cells; }
static void plain(int n, int cells[n], int others[static 1]) { (void)cells; (void)others; }
void f_one(void) { int x; one(1, &x); assert(calls == 1); }
void f_wrong(void) { int x; one(1, &x); assert(calls == 0); }
void f_two(void) { int x[2][2]; two(2, x); assert(calls == 2); }
void f_plain(void) { int x; plain(1, &x, &x); assert(calls == 0); }
