// DMA transfers between the main memory and BUFFERS local buffers (2 to 4) of SIZE elements each. It is an error to start
// a transfer of a buffer that has one under way, to await one where none is, and to use a buffer during one or beyond
// its end.
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }

#define SIZE 1024

static int under_way0 = 0, under_way1 = 0, under_way2 = 0, under_way3 = 0;

static int is_under_way(int buffer) {
  return buffer == 0    ? under_way0
         : BUFFERS == 2 ? under_way1
         : buffer == 1  ? under_way1
         : BUFFERS == 3 ? under_way2
         : buffer == 2  ? under_way2
                        : under_way3;
}

static void set_under_way(int buffer, int value) {
  under_way0 = buffer == 0 ? value : under_way0;
  under_way1 = buffer == 1 ? value : under_way1;
  under_way2 = BUFFERS < 3 ? 0 : buffer == 2 ? value : under_way2;
  under_way3 = BUFFERS < 4 ? 0 : buffer == 3 ? value : under_way3;
}

static void start(int buffer) {
  if (is_under_way(buffer))
    reach_error();
  set_under_way(buffer, 1);
}

static void await(int buffer) {
  if (!is_under_way(buffer))
    reach_error();
  set_under_way(buffer, 0);
}

static void use(int buffer, int index) {
  if (is_under_way(buffer) || index >= SIZE)
    reach_error();
}

// The length of the next block.
static int read_length(void) {
  int length = __VERIFIER_nondet_int();
  return length < 0 ? SIZE : length > SIZE ? SIZE : length;
}
