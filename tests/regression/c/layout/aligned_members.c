// chcverify: --engine spacer --timeout 30
// aligned and packed on members, on the record before and behind its members, and _Alignas.
extern void reach_error(void);
struct raised { char c; short s __attribute__((aligned(8))); char d; };
struct lowered { char c; int i __attribute__((packed)); long l __attribute__((packed, aligned(2))); };
struct whole { char c; int i; } __attribute__((packed, aligned(4)));
struct __attribute__((aligned(16))) front { char c; };
struct specified { char c; _Alignas(16) char d; };
union both { char c[3]; short s __attribute__((packed)); };
int main(void) {
  if (sizeof(struct raised) == 16 && sizeof(struct lowered) == 14 && sizeof(struct whole) == 8 &&
      sizeof(struct front) == 16 && sizeof(struct specified) == 32 && sizeof(union both) == 3)
    reach_error();
  return 0;
}
