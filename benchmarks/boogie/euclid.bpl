// Euclid's algorithm by subtraction: both numbers stay positive, and no larger than the larger one was.
procedure Euclid(x: int, y: int) returns (divisor: int)
  requires 1 <= x && x <= 1000 && 1 <= y && y <= 1000;
  ensures 1 <= divisor && divisor <= 1000;
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
