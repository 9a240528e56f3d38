static double half(double x) { return x / 2; } static float third(float x) { return x / 3; } static int whole(double d) { return d; }
struct point { float x; double y; }; static struct point move(struct point p, int by) { p.x += by; p.y *= by; return p; }
int main(void) {
  volatile float f = 0.1f; volatile double d = 0.1; float big = 3e38f; double nan = 0.0 / 0.0 * (d - d), inf = 1 / (d - d);
  out_0 = half(5) * 100; out_1 = third(1) * 3 == 1.0f; out_2 = third(10) == (float)(10.0 / 3); out_3 = whole(-2.99) * 10 + whole(half(7)); out_4 = f == d; out_5 = f * 10 == 1; out_6 = d * 3 == 0.3; out_7 = big * 10 == inf; out_8 = (double)big * 10 < inf;
  out_9 = nan == nan; out_10 = nan != nan; out_11 = nan < 1 || nan >= 1; out_12 = !(nan > 0); out_13 = inf - inf != inf - inf; out_14 = -inf < inf; struct point p = move((struct point){ 1, 2.5 }, 3); out_15 = p.x * 1000 + p.y * 100;
  float a[3] = { 1, 2.5f }; a[2] = a[0] / 3; out_16 = a[2] * 1e9f; double sum = 0; for (int i = 0; i < 10; i++) sum += 0.1; out_17 = sum == 1; out_18 = sum * 1e17; float fs = 0; for (int i = 0; i < 10; i++) fs += 0.1f; out_19 = fs * 1e9; f += 1; out_20 = f * 1e8; f++; out_21 = f > 2.0999; d = f; out_22 = d == f; f = d = 16777217; out_23 = f; out_24 = d;
  out_25 = 5 / 2 + 5 / 2.0 * 10; out_26 = (int)(0.1f * 10) + (int)(0.7 * 10); out_27 = (unsigned)4e9 / 1000; out_28 = (long long)-1e18; out_29 = (unsigned long long)1.8e19 >> 1; out_30 = (float)9007199254740993ll == 9007199254740992.0f; out_31 = (double)9007199254740993ll; out_32 = 1e-320 > 0; out_33 = 1e-45f * 0.5f == 0; out_34 = 0x1.8p1 * 2; out_35 = (d > 1 ? 1 : 2.5) * 2; out_36 = d ? 3 : 4; out_37 = !nan; out_38 = nan && 1; out_39 = (_Bool)1e-300 + (_Bool)-0.0;
  double x = 1, y = x++ + x * 0; out_40 = x * 10 + y; x -= 0.75; x *= 8; out_41 = x; int n = 10; n -= 2.5; out_42 = n; n /= 0.3; out_43 = n; unsigned char uc = 250; uc += 3.7; out_44 = uc; out_45 = 'a' + 0.5 > 'a'; out_46 = (char)65.9f; out_47 = -7.0 / 2 < -3; out_48 = 1e16 + 1 == 1e16; out_49 = (0.1 + 0.2) * 1e17 - 3e16;
  finish();
}
