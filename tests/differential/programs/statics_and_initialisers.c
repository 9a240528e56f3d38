struct p { int x, y; }; struct q { struct p a[2]; char s[4]; int n; };
static int zero; int tentative; int tentative; int tentative = 4; static int *where = &tentative; extern int later;
int array[] = { [2] = 3, 4, [0] = 1 }; int square[2][3] = { 1, 2, 3, 4 }; int braces[2][2] = { { 1 }, { 2, 3 } };
struct q deep = { .a[1].y = 5, .a[0] = { 1, 2 }, .s = "abc", 7 }; struct q flat = { 1, 2, 3, 4, 'x', 'y' };
struct p *inside = &deep.a[1], table[] = { [1].y = 2, [0] = { 3 }, { 4 } };
union u { char c; int i; unsigned v; }; const char *strings[] = { "one", "two" "three", [3] = "" }; char text[] = "a\0b"; char cut[2] = "xyz";
int *const element = &array[2] - 1; int difference = (int)sizeof(array) / 4; int later = 'l';
int count(void) { static int n = 3; static int seen[2] = { 5 }; seen[1] += n; return n++ + seen[1]; }
int other(void) { static int n; return ++n; }
int local(int k) { int a[4] = { k, k + 1 }; struct q z = { { { k } } }; char s[5] = "hi"; return a[1] + a[3] + z.n + z.a[0].x + z.s[3] + s[4] + s[1]; }
int main(void) {
  out_0 = zero + tentative; out_1 = *where; out_2 = array[0] + array[1] * 10 + array[3] * 100 + sizeof(array) * 1000;
  out_3 = square[1][0] * 10 + square[1][2]; out_4 = braces[0][1] + braces[1][1];
  out_5 = deep.a[0].x + deep.a[0].y * 10 + deep.a[1].x * 100 + deep.a[1].y * 1000; out_6 = deep.s[2] + deep.s[3] + deep.n;
  out_7 = flat.a[1].y * 1000 + flat.s[1] + flat.s[2] + flat.n; out_8 = inside->y; out_9 = table[0].x + table[1].y * 10 + table[1].x * 100 + sizeof table * 1000;
  out_10 = strings[1][5] + (strings[2] == 0) + sizeof strings / sizeof *strings; out_11 = sizeof text * 1000 + text[2]; out_12 = cut[1];
  out_13 = *element; out_14 = difference; out_15 = later; out_16 = count() * 100 + count(); out_17 = other() + other() * 10 + count();
  out_18 = local(3); out_19 = local(-9); out_20 = (struct p){ .y = 9 }.y; int *literal = (int[]){ 1, 2, 3 }; out_21 = literal[2];
  for (int i = 0; i < 2; i++) { struct p fresh = { i }; fresh.y += i; out_22 += fresh.x * 10 + fresh.y; }
  struct q copy = deep, *view = &copy; copy.a[1].y++; view->s[0]++; out_23 = deep.a[1].y * 10 + copy.a[1].y + copy.s[0];
  int vary = 3; int rows[vary][2]; for (int i = 0; i < vary; i++) rows[i][1] = i; vary = 9; out_24 = sizeof rows + rows[2][1]; out_25 = sizeof(int[vary]);
  static const unsigned char bytes[] = { 1, 254, -1, 256 }; out_26 = bytes[1] + bytes[2] * 1000 + bytes[3]; out_27 = "hello"[1] + sizeof "hello" + *"z";
  out_28 = (&deep.a[1] - &deep.a[0]) + (&array[3] - array) * 10 + (&array[1] < &array[2]) * 100; char *t = text; out_29 = t[3] + 3[text] + *(1 + t);
  finish();
}
