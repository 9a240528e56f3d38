// chcverify: --engine spacer --timeout 30
// Every size below is gcc's: the attribute counts before the tag and behind the brace, and for each range of values.
extern void reach_error(void);
enum __attribute__((packed)) small { NONE, FEW, MANY = 200 };
typedef enum { LEFT = -1, RIGHT = 200 } __attribute__((__packed__)) side;
struct pair {
  enum small count;
  side which;
  char last;
};
int main(void) {
  if (sizeof(enum small) == 1 && sizeof(side) == 2 && sizeof(struct pair) == 6 && (side)-1 < 0 && (enum small)-1 > 0)
    reach_error();
  return 0;
}
