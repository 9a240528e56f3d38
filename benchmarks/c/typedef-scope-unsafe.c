// A typedef's name is hidden by a local variable.
extern void abort(void);
void reach_error(void) { abort(); }

typedef unsigned char byte;
typedef int row[3];
int main(void) {
  byte b = 300;
  row r = {1, 2, 3};
  {
    int byte = 7;
    b += byte;
  }
  if (b != 307 || sizeof(row) != 12 || r[2] != 3)
    reach_error();
  return 0;
}
