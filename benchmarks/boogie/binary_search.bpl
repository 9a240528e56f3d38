// Binary search: no element outside of the array is read.
procedure BinarySearch(a: [int]int, length: int, key: int) returns (found: int)
  requires 0 <= length;
{
  var low, high, middle: int;
  low, high, found := 0, length, -1;
  while (low < high)
    invariant 0 <= low && high <= length;
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
