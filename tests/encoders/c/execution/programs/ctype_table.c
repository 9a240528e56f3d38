/* What <ctype.h> expands to with optimisation. */
extern const unsigned short **__ctype_b_loc(void);
extern void show(long value);

int main(void) {
  for (int c = -128; c < 256; c++)
    show((*__ctype_b_loc())[c]);
  return 0;
}
