// As reverse, but the lower end moves by two.
procedure Reverse(given: [int]int, length: int) returns (a: [int]int)
  requires 0 <= length;
{
  var low, high, other: int;
  a, low, high := given, 0, length - 1;
  while (low < high)
  {
    assert 0 <= low && high < length;
    other := a[low];
    a[low] := a[high];
    a[high] := other;
    low, high := low + 2, high - 1;
  }
  assert low == high || low == high + 1;
}
