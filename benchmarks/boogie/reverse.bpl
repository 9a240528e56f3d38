// An array is reversed from both ends, which meet in the middle.
procedure Reverse(given: [int]int, length: int) returns (a: [int]int)
  requires 0 <= length;
{
  var low, high, other: int;
  a, low, high := given, 0, length - 1;
  while (low < high)
    invariant 0 <= low && high < length && low + high == length - 1 && low <= high + 1;
  {
    assert 0 <= low && high < length;
    other := a[low];
    a[low] := a[high];
    a[high] := other;
    low, high := low + 1, high - 1;
  }
  assert low == high || low == high + 1;
}
