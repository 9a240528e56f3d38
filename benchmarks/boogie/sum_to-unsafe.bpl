// As sum_to.bpl, but Sum(0) and Sum(1) give less than is ensured.
procedure Sum(n: int) returns (sum: int)
  requires 0 <= n;
  ensures sum >= n + 1;
{
  var i: int;
  i, sum := 0, 0;
  while (i < n) {
    i := i + 1;
    sum := sum + i;
  }
}

procedure Twice(n: int) returns (sum: int)
  requires 1 <= n;
  ensures sum >= 2 * n;
{
  var other: int;
  call sum := Sum(n);
  call other := Sum(n);
  sum := sum + other;
}
