// An array of records, and a record with an array.
extern void abort(void);
void reach_error(void) { abort(); }

struct point { int x, y; };
struct shape { struct point corners[3]; int used; };
int main(void) {
  struct shape s = {.used = 0};
  for (int i = 0; i < 3; i++) {
    s.corners[i].x = i;
    s.corners[i].y = i * i;
    s.used++;
  }
  struct point *last = &s.corners[s.used - 1];
  if (last->x != 2 || last->y != 4)
    reach_error();
  return 0;
}
