// A new element of a heap moves up: the index of the father is right.
procedure SiftUp(given: [int]int, last: int) returns (heap: [int]int)
  requires 1 <= last;
{
  var at, father, other: int;
  heap, at := given, last;
  while (at > 1)
    invariant 1 <= at && at <= last;
  {
    father := at div 2;
    assert 1 <= father && father < last;
    if (heap[father] <= heap[at]) {
      break;
    }
    other := heap[at];
    heap[at] := heap[father];
    heap[father] := other;
    at := father;
  }
  assert 1 <= at;
}
