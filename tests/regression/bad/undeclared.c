// chcverify:
int main(void) {
  return undeclared + 1;
}
