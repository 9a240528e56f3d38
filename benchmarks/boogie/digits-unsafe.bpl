// As digits, but a number may be 10.
procedure Digit() returns (digit: int);
  ensures 0 <= digit && digit <= 10;

procedure Main(count: int)
{
  var sum, n, digit: int;
  sum, n := 0, 0;
  while (n < count)
    invariant 0 <= sum && sum <= 9 * n;
  {
    call digit := Digit();
    sum := sum + digit;
    n := n + 1;
  }
  assert 0 <= sum && sum <= 9 * n;
}
