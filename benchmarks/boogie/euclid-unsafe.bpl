// As euclid, but what is ensured does not hold for the largest numbers.
procedure Euclid(x: int, y: int) returns (divisor: int)
  requires 1 <= x && x <= 1000 && 1 <= y && y <= 1000;
  ensures 1 <= divisor && divisor <= 999;
{
  var other: int;
  divisor, other := x, y;
  while (divisor != other)
    invariant 1 <= divisor && divisor <= 1000 && 1 <= other;
  {
    if (divisor > other) {
      divisor := divisor - other;
    } else {
      other := other - divisor;
    }
  }
}
