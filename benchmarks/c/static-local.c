// A static local keeps its value from call to call.
extern void abort(void);
void reach_error(void) { abort(); }

static int next(void) {
  static int counter = 5;
  return counter++;
}
int main(void) {
  next();
  next();
  if (next() != 7)
    reach_error();
  return 0;
}
