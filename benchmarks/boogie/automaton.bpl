// An automaton that cycles through four states and counts the visits of two of them.
procedure Main()
{
  var state, left, right: int;
  state, left, right := 1, 0, 0;
  while (*)
    invariant 1 <= state && state <= 4;
    invariant left == right + (if state == 2 then 1 else 0);
  {
    if (state == 1) {
      left := left + 1;
    } else if (state == 2) {
      right := right + 1;
    }
    state := (if state == 4 then 1 else state + 1);
    assert state == 1 ==> left == right;
  }
}
