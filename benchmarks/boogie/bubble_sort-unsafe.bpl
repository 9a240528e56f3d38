// As bubble_sort, but the inner loop goes one too far.
procedure BubbleSort(given: [int]int, length: int) returns (a: [int]int)
  requires 0 <= length;
{
  var end, i, other: int;
  a, end := given, length;
  while (end > 1)
    invariant end <= length;
  {
    i := 0;
    while (i < end)
    {
      assert 0 <= i && i + 1 < length;
      if (a[i] > a[i + 1]) {
        other := a[i];
        a[i] := a[i + 1];
        a[i + 1] := other;
      }
      i := i + 1;
    }
    end := end - 1;
  }
}
