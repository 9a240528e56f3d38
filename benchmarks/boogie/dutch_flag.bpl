// The Dutch flag: the borders of the three colours stay inside the array.
procedure DutchFlag(colours: [int]int, length: int) returns (sorted: [int]int)
  requires 0 <= length;
{
  var red, white, blue, other: int;
  red, white, blue, sorted := 0, 0, length, colours;
  while (white < blue)
    invariant 0 <= red && red <= white && blue <= length;
  {
    if (sorted[white] == 0) {
      assert 0 <= red && red < length;
      other := sorted[red];
      sorted[red] := sorted[white];
      sorted[white] := other;
      red, white := red + 1, white + 1;
    } else if (sorted[white] == 1) {
      white := white + 1;
    } else {
      blue := blue - 1;
      assert 0 <= blue && blue < length;
      other := sorted[blue];
      sorted[blue] := sorted[white];
      sorted[white] := other;
    }
  }
  assert red <= white;
}
