/* Library functions on numbers that are read (3, 5, -7, 11 in turn) and on small strings. */
int main(void) {
  int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(), c = __VERIFIER_nondet_int(), e = __VERIFIER_nondet_int();
  out_0 = abs(c) * 10 + abs(a); out_1 = labs(c) * 100 + labs(b); out_2 = llabs(c - 1LL) + llabs(e); char *end, t[8] = " -17x", q[12] = "ab";
  out_3 = round(a - 0.5) * 1000 + round(c + 0.5) * 10 + round(0.4 * a); out_4 = floor(c / 2.0) * 10 + ceil(c / 2.0); out_5 = trunc(c / 2.0) * 10 + rint(a / 2.0) + rint(b / 2.0) * 100;
  out_6 = fmax(a, c) * 100 + fmin(b, c) * 10 + fdim(a, b) + fdim(b, a); out_7 = copysign(a, c) * 10 + fabs(c - 0.5) * 2; out_8 = atoi("  +42z") + atol("-8"); out_9 = strtol(t, &end, 0) * 10 + (end - t);
  out_10 = strtol("0x1F", &end, 16) + strtol("077", &end, 0) * 100 + (*end == 0); strncat(q, "cdef", a); out_11 = strlen(q) * 1000 + q[4] + (strcmp(q, "abcdf") < 0) * 7; out_12 = strcmp("b", "ab") > 0; out_13 = (strcmp("a\xff", "ab") > 0) + (memcmp("a\xff", "ab", 2) > 0) * 2;
  out_14 = strrchr(q, 'b') - q + (strstr(q, "cd") - q) * 10 + (strpbrk(q, "xed") - q) * 100; out_15 = strspn(q, "ba") + strcspn(q, "e") * 10 + strnlen(q, 3) * 100 + ((char *)memchr(q, 'd', 5) - q) * 1000;
  out_16 = toupper('a' + a) * 1000 + tolower('Q') + !!isalpha('z') + 2 * !!isdigit('9') + 4 * !!isspace('\t') + 8 * !!isxdigit('g') + 16 * !!ispunct('!') + 32 * !!isprint('\n') + 64 * !!isupper('A') + 128 * !!islower('A') + 256 * !!isalnum('_') + 512 * !!iscntrl(127);
  int m[5] = { 1, 2, 3, 4, 5 }; memmove(m + 1, m, 4 * sizeof *m); out_17 = m[4] * 100 + m[2]; memmove(m, m + 2, 3 * sizeof *m); out_18 = m[0] * 100 + m[2];
  finish();
}
