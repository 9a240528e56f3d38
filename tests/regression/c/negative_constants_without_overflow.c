// chcverify: --property no-overflow --timeout 60
// Operators in constant expressions are no operations of the program.
enum level { LOW = -1, HIGH = LOW + 5 };
static int table[HIGH - 1] = {[2 - 1] = -3};
int main(void) {
  int local[5 - 2] = {LOW};
  switch (local[0]) {
    case 3 - 4: return table[1] - 1;
  }
  return 0;
}
