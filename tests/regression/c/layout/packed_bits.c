// chcverify: --engine spacer --timeout 30
// Bits of a packed record cross the units of their types, and values are read from there.
extern void reach_error(void);
extern unsigned __VERIFIER_nondet_uint(void);
struct __attribute__((packed)) bits { unsigned a : 7; unsigned long b : 40; _Bool c : 1; };
int main(void) {
  union { struct bits s; unsigned char octets[6]; } u;
  for (int i = 0; i < 6; i++)
    u.octets[i] = 0;
  u.s.b = 1ul << 39;
  u.s.a = __VERIFIER_nondet_uint();
  if (sizeof(struct bits) == 6 && u.octets[5] == 0x40 && u.octets[0] == 0x55)
    reach_error();
  return 0;
}
