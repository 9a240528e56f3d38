// The sum of the numbers up to n, in two ways. No loop has an invariant: they are found.
procedure Sum(n: int) returns (sum: int)
  requires 0 <= n;
  ensures sum >= n;
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
