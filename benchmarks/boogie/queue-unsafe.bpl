// As queue, but the third element is skipped.
procedure Queue()
{
  var first, next, count: int;
  first, next, count := 0, 0, 0;
  while (*)
    invariant 0 <= count && count <= 8 && 0 <= first && first < 8 && 0 <= next && next < 8;
    invariant next == first + count || next == first + count - 8;
  {
    if (*) {
      assume count < 8;
      next, count := (if next == 7 then 0 else next + 1), count + 1;
    } else {
      assume count > 0;
      first, count := (if first == 1 then 3 else first + 1), count - 1;
    }
    assert count == 0 ==> first == next;
  }
}
