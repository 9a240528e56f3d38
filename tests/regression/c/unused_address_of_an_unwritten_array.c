// chcverify: --property bounds,uninitialised --timeout 60
int main(void) {
  char text[2];
  &text[1];
  return 0;
}
