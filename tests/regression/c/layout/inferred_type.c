// chcverify: --engine spacer --timeout 30
// __auto_type takes the type of the initialiser, an array's elements as a pointer.
extern void reach_error(void);
int main(void) {
  short room[4] = {1, 2, 3, 4};
  __auto_type first = room;
  __auto_type wide = 1ul << 40;
  const __auto_type narrow = (char)200;
  if (sizeof first == 8 && first[2] == 3 && wide >> 40 == 1 && narrow < 0)
    reach_error();
  return 0;
}
