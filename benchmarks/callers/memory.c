/* Pairs about memory: every caller of f_any meets the error of the first function, only a wrong caller of f_wrong. */
#include <assert.h>
#include <stdlib.h>

int read_any(const int *p) { p = 0; return *p; }
int read_wrong(const int *p) { return *p; }

void write_any(int *p, int value) { int *q = NULL; *q = value; }
void write_wrong(int *p, int value) { *p = value; }

int released_any(int n) { int *p = malloc(sizeof *p); *p = n; free(p); return *p; }
int released_wrong(int *p) { int n = *p; return n; }

void twice_any(int n) { int *p = malloc(sizeof *p); free(p); free(p); }
void twice_wrong(int *p, int *q) { *p = 1; *q = 2; }

int *hidden_any(int n) { int *p; { int inner = n; p = &inner; } *p = 1; return 0; }
void hidden_wrong(int **p) { static int shown; *p = &shown; }

void grow_any(unsigned n) { char *p = malloc(n & 7); p[7] = 1; free(p); }
void grow_wrong(char *p) { p[7] = 1; }

int pair_any(const int *p, const int *q) { q = 0; return *p ^ *q; }
int pair_wrong(const int *p, const int *q) { return *p ^ *q; }

void result_any(int n, int *result) { result = 0; *result = n; }
void result_wrong(int n, int *result) { *result = n; }

void chain_any(char **p) { *p = 0; **p = 1; }
void chain_wrong(char *p) { assert(p != NULL); *p = 1; }

int length_any(const char *s, int n) { int i = -1; return s[i]; }
int length_wrong(const char *s, int n) { int i = 0; while (i < n) { if (s[i] == 'x') return i; i++; } return i; }
