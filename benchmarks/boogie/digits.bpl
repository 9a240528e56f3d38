// The sum of numbers from 0 to 9 is at most nine times their number.
procedure Digit() returns (digit: int);
  ensures 0 <= digit && digit <= 9;

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
