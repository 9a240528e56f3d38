// Assignment copies all members, the copies are then independent.
extern void abort(void);
void reach_error(void) { abort(); }

struct pair { int left; int right; };
struct box { struct pair pair; int tag; };
struct box make(int left, int right) {
  struct box made = {{left, right}, left + right};
  return made;
}
int main(void) {
  struct box a = make(3, 4), b = a;
  b.pair.left = 10;
  if (a.pair.left != 3 || b.pair.right != 4 || b.tag != 7)
    reach_error();
  return 0;
}
