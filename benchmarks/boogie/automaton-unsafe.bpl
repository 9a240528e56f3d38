// As automaton, but it may stay in the second state.
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
    state := (if state == 2 && right mod 3 == 1 then 2 else if state == 4 then 1 else state + 1);
    assert state == 1 ==> left == right;
  }
}
