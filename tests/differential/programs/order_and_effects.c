static int log_, g = 5;
static int note(int n) { log_ = log_ * 10 + n; return n; }
static int bump(int n) { g += n; return g; }
static int two(int a, int b) { return a * 100 + b; }
int main(void) {
  int i = 0, a[5] = { 10, 20, 30, 40, 50 }, *p = a, j;
  out_0 = (note(1), note(2)) + (note(0) && note(3)) + (note(4) || note(5)); out_1 = log_; log_ = 0;
  out_2 = note(1) ? note(2) : note(3); out_3 = log_; log_ = 0;
  out_4 = i++ + 10; out_5 = i; out_6 = *p++; out_7 = *++p; out_8 = (*p)++; out_9 = a[2]; out_10 = p - a;
  a[i++] = 7; out_11 = a[1] + i; a[i] = i = 3; out_12 = i;
  out_13 = (j = 300, (char)j); out_14 = (i = 5) + 1; i += i *= 2; out_15 = i;
  for (i = 0, j = 10; i < j; i++, j--) if (i == 3) continue; else if (j == 6) break;
  out_16 = i * 100 + j;
  out_17 = (i = 0) || (j = 0) || (i = 9); out_18 = i; out_19 = i > 3 && (j = i) > 8 ? j-- : ++j; out_20 = j;
  out_21 = ({ int k = 3; while (k--) note(k); k; }); out_22 = log_;
  int x = 3; x = x++ * 0 + 4; out_23 = x; do x--; while (x > 1 && note(x)); out_24 = x;
  if (i = 0) out_25 = 1; else out_25 = 2;
  switch (note(2)) { out_26 = 99; case 1: out_26 += 1; default: out_26 += 10; case 3: out_26 += 100; break; case 4: out_26 = 7; }
  switch (i) case 0: out_27 = 5;
  switch (x) { int unset; case 7: unset = 1; case 1: unset = 4; for (; unset;) { case 9: unset--; out_28++; } }
  i = 7; switch (i & 3) { case 0: do { out_29++; case 3: out_29 += 10; case 2: out_29 += 100; case 1: out_29 += 1000; } while ((i -= 4) > 0); }
  i = 0; again: if (i++ < 3) goto inside; else goto over; { int k; for (k = 0; k < 2; k++) { out_30 += k; inside: out_30 += 5; if (i > 1) break; } goto again; } over:
  out_31 = bump(1) + g; out_32 = two(3, g); a[bump(-4)] = 8; out_33 = a[2]; out_34 = sizeof(i++) + i;
  unsigned char small = 255; out_35 = small++ + ++small; signed char w = 127; out_36 = ++w; w = -128; out_37 = w-- - w;
  finish();
}
