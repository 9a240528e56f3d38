// chcverify: --property unreach-call --engine bounded --timeout 120
/* A structure is read as bytes, so its numbers and pointers are cells of bytes. Two reads of what nobody wrote of it
   give the same. */
extern void reach_error(void);
struct buffer { char *data; unsigned short size; };
static char block[4];

static int is_zeroed(const void *object, unsigned size) {
  const unsigned char *bytes = object;
  for (unsigned i = 0; i < size; i++)
    if (bytes[i]) return 0;
  return 1;
}

int main(void) {
  struct buffer b;
  if (b.size > 4) return 0;
  b.data = block;
  unsigned short before = b.size;
  if (is_zeroed(&b, sizeof b) && before) reach_error();
  if (b.size != before) reach_error();
  if (b.data != block) reach_error();
  return 0;
}
