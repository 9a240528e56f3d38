// chcverify: --property no-overflow --timeout 60
enum level { LOW = -1 };
int main(void) {
  int x = 2147483647;
  return x - LOW;
}
