// As add, but for numbers below zero the last step is left out.
procedure Add(x: int, y: int) returns (sum: int)
  ensures sum == x + y;
{
  var left: int;
  sum, left := x, y;
  while (left > 0)
    invariant sum + left == x + y && (y > 0 ==> left >= 0) && (y <= 0 ==> left == y);
  {
    sum, left := sum + 1, left - 1;
  }
  while (left < -1)
    invariant sum + left == x + y;
  {
    sum, left := sum - 1, left + 1;
  }
}
