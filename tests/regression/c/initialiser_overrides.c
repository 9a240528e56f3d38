// chcverify: --engine spacer --timeout 600
extern void abort(void);
void reach_error(void) { abort(); }
struct pair { int x, y; };
struct pair table[] = { [1].y = 2, [0] = { 3 }, { 4 } };
int main(void) {
  if (table[1].y != 0) reach_error(); /* the braces give a value to all of table[1] */
  return 0;
}
