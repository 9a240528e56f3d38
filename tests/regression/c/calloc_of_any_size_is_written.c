// chcverify: --timeout 60
// What is written to memory of calloc stays, beside memory of malloc with members of another size.
typedef unsigned long size_t;
void *malloc(size_t size), *calloc(size_t count, size_t size);
unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);
struct pair { char key; long value; struct pair *next; };
int main(void) {
  unsigned n = __VERIFIER_nondet_uint();
  struct pair *one = malloc(sizeof *one), *all = calloc(n, sizeof *all);
  one->value = 2;
  if (n < 9) return 0;
  one->next = all + 8;
  if (one->next->next || all[7].value || all[8].key) return 0;
  one->next->value++;
  if (all[8].value == 1 && n == 900) reach_error();
  return 0;
}
