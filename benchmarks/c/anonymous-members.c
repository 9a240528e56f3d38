// Members of an unnamed record are the record's own.
extern void abort(void);
void reach_error(void) { abort(); }

struct value {
  int kind;
  union {
    int number;
    unsigned word;
  };
  struct { short low, high; };
};
int main(void) {
  struct value v = {1, {0}, {2, 3}};
  v.number = -1;
  if (v.word != 0xffffffffu || v.low != 2 || v.high != 3 || sizeof v != 12)
    reach_error();
  return 0;
}
