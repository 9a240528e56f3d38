// Eight cycles of XTEA are undone by as many of its inverse.
extern unsigned int __VERIFIER_nondet_uint(void);
extern void abort(void);
void reach_error(void) { abort(); }

int main(void) {
  unsigned key[4], v0 = __VERIFIER_nondet_uint(), v1 = __VERIFIER_nondet_uint();
  unsigned a = v0, b = v1, sum = 0;
  const unsigned delta = 0x9E3779B9u;
  for (int i = 0; i < 4; i++)
    key[i] = __VERIFIER_nondet_uint();
  for (int i = 0; i < 8; i++) {
    a += ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 3]);
    sum += delta;
    b += ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
  }
  for (int i = 0; i < 8; i++) {
    b -= ((a << 4 ^ a >> 5) + a) ^ (sum + key[sum >> 11 & 3]);
    sum -= delta;
    a -= ((b << 4 ^ b >> 5) + b) ^ (sum + key[sum & 1]);
  }
  if (a != v0 || b != v1)
    reach_error();
  return 0;
}
