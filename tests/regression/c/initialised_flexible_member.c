// chcverify: --timeout 60
/* An object with a flexible array member that has an initialiser is larger than its type. */
extern void reach_error(void);
struct sequence { int count; int values[]; };
static struct sequence sequence = {2, {10, 20}};
int main(void) {
  if (sequence.values[1] != 20) reach_error();
  return 0;
}
