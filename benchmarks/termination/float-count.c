// Ends after 20 steps.

int main(void) {
  int count = 0;
  for (float x = 0.0f; x < 10.0f; x += 0.5f) count++;
  return count;
}
