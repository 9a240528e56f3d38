// chcverify: --entry "f_*" --property bounds,null,lifetime --timeout 120
// The object of a compound literal lives as long as the block around it (C11 6.5.2.5).
struct row { int cells[3]; };
int f_block(void) { int *p; { p = (int[]){1, 2}; } return *p; }
int f_branch(int c) { int *p, x = 1; if (c) p = &(int){3}; else p = &x; return *p; }
int f_loop(void) { struct row *p = 0; while (1) { p = &(struct row){{1}}; break; } return p->cells[0]; }
int f_rounds(void) { int *last = 0, sum = 0; for (int i = 0; i < 2; i++) { if (last) sum += *last; last = &(int){i}; } return sum; }
int f_alive(void) { int *p; p = (int[]){1, 2}; { p[1] = 3; } return *p; }
int f_inner(void) { int sum = 0; for (int i = 0; i < 2; i++) { int *p = &(int){i}; sum += *p; } return sum; }
