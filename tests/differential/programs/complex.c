typedef double _Complex cd; typedef float _Complex cf; struct holds { char c; cf f; cd z; }; static cd twice(cd z) { return z + z; } static cf half(cf z, int by) { return z / by; }
static cd fixed = 1.5 + 2.0i, table[3] = { 1, 2.0i, [2] = 3.25 - 1.0i }; static struct holds whole = { 1, 2.0f, 3.0 + 4.0i };
#define RE(z) ((int)(1000 * __real__(z)))
#define IM(z) ((int)(1000 * __imag__(z)))
int main(void) {
  volatile double a = 3.5, b = -1.25; cd z = a + b * 1.0i, w = fixed, v = 7; out_0 = RE(z); out_1 = IM(z); out_2 = RE(w) + IM(w); out_3 = RE(v) + IM(v);
  out_4 = RE(z * w); out_5 = IM(z * w); out_6 = RE(z + w) - IM(z - w); out_7 = RE(a * w) + IM(w * b); out_8 = RE(z / 2) + IM(z / 4); out_9 = RE(a - w); out_10 = IM(a - w); out_11 = RE(-z) + IM(~z);
  out_12 = z == w; out_13 = z != w; out_14 = v == 7; out_15 = v != 7.0 + 0.0i; out_16 = !z; out_17 = z && !(v - 7); out_18 = (_Bool)(0.5i); out_19 = (int)(9.75 + 3.0i); out_20 = sizeof(cd) * 100 + sizeof(cf); out_21 = sizeof whole; out_22 = (char *)&whole.z - (char *)&whole;
  z += 1; out_23 = RE(z); z *= 1.0i; out_24 = RE(z); out_25 = IM(z); z -= w; out_26 = RE(z) + IM(z); z /= 2; out_27 = RE(z) + IM(z); __real__ z = 4; __imag__ z += 1; out_28 = RE(z) + IM(z);
  out_29 = RE(twice(fixed)); out_30 = IM(half(2.0f + 6.0iF, 2)); cf f = z; out_31 = RE(f) + IM(f); f = f * 0.1f; out_32 = (__real__ f) * 1e8f; cd g = f; out_33 = __imag__ g * 1e12; out_34 = RE(table[1]) + IM(table[1]); out_35 = RE(table[2]) + IM(table[2]); out_36 = IM(whole.f) + RE(whole.f) + IM(whole.z);
  struct holds other = whole; other.z = other.z * whole.z; out_37 = RE(other.z); out_38 = IM(other.z); cd local[2] = { [1] = 5.0i }; out_39 = RE(local[0]) + IM(local[1]); cd *p = &local[0]; *p = 2; p[1] *= *p; out_40 = IM(local[1]); out_41 = __real__ 3.5 * 10 + __imag__ 3.5; cd braced = { 2.5 + 1.0i }; out_42 = RE(braced) + IM(braced);
  double inf = 1 / (a - a), nan = inf - inf; cd q = nan + 1.0i; out_43 = q == q; out_44 = q != q; out_45 = RE(a > 0 ? z : w); int n = 3; n += 2.0 + 1.0i; out_46 = n; float x = 1.0 + 2.0i; out_47 = x; out_48 = IM((cd)(cf)(0.5i)); unsigned char u = 200; out_49 = RE(u * f * 0 + u); cd loop = 1; for (int i = 0; i < 5; i++) loop *= 1.0 + 1.0i; out_50 = RE(loop); out_51 = IM(loop);
  finish();
}
