/* The type of the result is the one that the program declares. */
typedef struct { int quot; int rem; } div_t;

div_t div(int numerator, int denominator) {
  div_t result;
  result.quot = numerator / denominator;
  result.rem = numerator % denominator;
  return result;
}

typedef struct { long quot; long rem; } ldiv_t;

ldiv_t ldiv(long numerator, long denominator) {
  ldiv_t result;
  result.quot = numerator / denominator;
  result.rem = numerator % denominator;
  return result;
}

typedef struct { long long quot; long long rem; } lldiv_t;

lldiv_t lldiv(long long numerator, long long denominator) {
  lldiv_t result;
  result.quot = numerator / denominator;
  result.rem = numerator % denominator;
  return result;
}
