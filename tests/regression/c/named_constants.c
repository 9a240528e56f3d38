// chcverify: -std=c23
extern void reach_error(void);
constexpr int N = 4;
constexpr int squares[N] = {0, 1, 4, 9};
enum level : unsigned char { LOW = 254, HIGH };
int main(void) {
  auto sum = 0L;
  for (auto i = 0; i < N; i++) sum += squares[i];
  enum level next = HIGH;
  next++;  // wraps around at 256
  static_assert(sizeof next == 1 && N * 2 == 8);
  if (sum != 14 || next != 0) reach_error();
  return 0;
}
