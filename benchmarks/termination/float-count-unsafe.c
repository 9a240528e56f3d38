// Does not end: from 2^24 on, 1.0f is lost in the sum.

int main(void) {
  int count = 0;
  for (float x = 16777210.0f; x < 16777300.0f; x += 1.0f) count ^= 1;
  return count;
}
