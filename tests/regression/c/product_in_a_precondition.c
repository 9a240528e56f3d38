// chcverify: --entry area --entry-requires '-2147483648 <= width * height <= 2147483647' --property no-overflow --timeout 60
// Numbers of ACSL are mathematical: the product in the precondition has no check of its own.
int area(int width, int height) { return width * height; }
