// As binary_search, but the end of the array counts as an element.
procedure BinarySearch(a: [int]int, length: int, key: int) returns (found: int)
  requires 0 <= length;
{
  var low, high, middle: int;
  low, high, found := 0, length, -1;
  while (low <= high)
  {
    middle := low + (high - low) div 2;
    assert 0 <= middle && middle < length;
    if (a[middle] < key) {
      low := middle + 1;
    } else if (key < a[middle]) {
      high := middle;
    } else {
      found := middle;
      return;
    }
  }
}
