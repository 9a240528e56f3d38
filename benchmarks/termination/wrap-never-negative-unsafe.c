// Does not end: an unsigned number is never negative.
int main(void) {
  int sum = 0;
  for (unsigned i = 10; i >= 0; i--) sum ^= i;
  return sum;
}
