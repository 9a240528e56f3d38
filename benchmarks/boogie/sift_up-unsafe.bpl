// As sift_up, but the root is not left out.
procedure SiftUp(given: [int]int, last: int) returns (heap: [int]int)
  requires 1 <= last;
{
  var at, father, other: int;
  heap, at := given, last;
  while (at > 0)
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
