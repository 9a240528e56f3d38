// chcverify: --entry "f_*" --property bounds,null,lifetime --volatile fresh --timeout 120 --no-preconditions
// What a volatile object holds may be anything, but a read of it accesses memory all the same.
#include <stdlib.h>
struct port { unsigned plain; volatile unsigned state; };
struct port *unset;
volatile int values[4];
unsigned f_null(void) { return unset->state; }
int f_index(unsigned i) { return values[i]; }
int f_index_in_range(unsigned i) { return values[i % 4]; }
unsigned f_freed(void) {
  struct port *p = malloc(sizeof *p);
  if (!p) return 0;
  free(p);
  return p->state;
}
unsigned f_alive(void) {
  struct port *p = malloc(sizeof *p);
  if (!p) return 0;
  unsigned seen = p->state;
  free(p);
  return seen;
}
struct pair { int a, b; };
volatile struct pair pairs[2];
int f_record(int i) { struct pair p = pairs[i]; return p.a; }
void f_unused(volatile char *p, unsigned i) { p[i]; }
