// Bit-vectors: the lowest set bit is cleared.
function {:bvbuiltin "bvand"} and8(bv8, bv8): bv8;
function {:bvbuiltin "bvsub"} sub8(bv8, bv8): bv8;
function {:bvbuiltin "bvule"} le8(bv8, bv8): bool;

procedure ClearLowest(x: bv8) returns (y: bv8)
  ensures le8(y, x);
  ensures and8(y, x) == y;
{
  y := and8(x, sub8(x, 1bv8));
}
