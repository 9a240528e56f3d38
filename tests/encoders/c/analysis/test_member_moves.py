"""Pointers that are moved between records and members: which regions stay typed, and where variables would begin."""

import pytest

from encoders.c.analysis.member_moves import MemberMoves
from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.regions import Region, RegionFlag, find, top_of
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import flatten
from encoders.c.cfa.type_sizes import sizes_of
from encoders.c.encoding.memory.object_extents import bytes_before, member_offset
from encoders.c.frontend import load_source
from encoders.c.types.c_types import CHAR, INT, LLONG, LP64, CPointer

TYPES = (
    "struct l { struct l *next, *prev; }; struct o { int u; struct l m; }; struct i { int a; struct o o; struct l k; };"
    "\n#define around(p, type, member) ((type *)((char *)(p) - (unsigned long)&((type *)0)->member))\n"
)


def memory(text: str, property_: str = "unreach-call") -> Memory:
    flat = flatten(load_source(f"int nondet(void);\n{TYPES}{text}", "test.c", LP64, property_))
    return Memory(flat, PointsTo(flat))


def region(memory: Memory, name: str) -> Region:
    slots = memory.points_to.regions.slots()
    (found,) = {find(node) for slot, node in slots if slot.variable.name == name}
    return found


def lead(memory: Memory, name: str) -> Region:
    pointee = region(memory, name).pointee
    assert pointee is not None
    return find(pointee)


MAIN = "int main() { struct i x, *p; struct l h, *q = &x.o.m; if (nondet()) q = &h; p = around(q, struct i, o.m);"


@pytest.mark.parametrize("property_", ["unreach-call", "valid-memsafety"])
def test_a_pointer_to_a_member_leads_to_the_record_around_it(property_: str) -> None:
    made = memory(f"{MAIN} p->a = 1; return q != &p->o.m; }}", property_)
    member, record = lead(made, "q"), lead(made, "p")
    assert not record.bytes and record is region(made, "x") is top_of(member)
    assert member is region(made, "h") and RegionFlag.CONTAINED in member.flags
    places = {slot.variable.name: bytes_before(made, slot) for slot in made.living(record)}
    assert places == {"x": 0, "h": 16} and member_offset(made, member) == 8


@pytest.mark.parametrize(
    "text",
    [
        f"{MAIN} struct l more[2]; q = more; return p->a; }}",
        f"{MAIN} q = q + 1; return p->a; }}",
        f"{MAIN} struct l (*all)[2] = (void *)q; (*all)[1].next = 0; return p->a; }}",
        f"{MAIN} q = &x.k; return p->a; }}",
        f"{MAIN} struct o y; q = &y.m; return p->a + ((char *)p)[1]; }}",
    ],
    ids=["array", "moved pointer", "pointer to an array", "two members", "bytes"],
)
def test_what_is_no_single_member_becomes_bytes(text: str) -> None:
    assert lead(memory(text), "q").bytes and lead(memory(text), "p").bytes


def test_pointers_to_arrays_do_not_count_records() -> None:
    text = (
        "struct t { int v; int a[4]; }; int main() { struct t x[2]; int (*q)[4] = &x[1].a;"
        " struct t *p = around(q, struct t, a); int (*r)[4] = (int (*)[4])((char *)p + 4); return r ? p->v : 0; }"
    )
    assert lead(memory(text), "p").bytes and lead(memory(text), "r").bytes


def test_where_accesses_are_checked_variables_need_a_fixed_address() -> None:
    text = (
        "int f(struct l *q, int n) { struct l h; if (n) q = &h; struct i *p = around(q, struct i, o.m);"
        " return n ? f(&h, n - 1) : p->a; } int main() { struct i x; x.a = 1; return f(&x.o.m, nondet()); }"
    )
    assert not lead(memory(text), "p").bytes
    assert lead(memory(text, "valid-memsafety"), "p").bytes


def test_first_members_and_nested_ones() -> None:
    made = memory(
        "struct b { int k; }; struct c { struct b b; int r; }; int main() { struct c x; struct b *q = (struct b *)&x;"
        " struct c *p = (struct c *)q; q->k = 1; struct i y; struct l *m = (struct l *)((char *)&y + 16);"
        " struct o *o = around(m, struct o, m); struct i *i = around(o, struct i, o); return p->r + i->a; }"
    )
    assert lead(made, "q").key == "b" and lead(made, "p") is region(made, "x")
    assert lead(made, "m").key == "m" and lead(made, "o").key == "o" and lead(made, "i") is region(made, "y")
    assert not any(region(made, name).bytes for name in "xy")


def test_members_of_two_records_of_one_type_share_their_records() -> None:
    made = memory("int main() { struct i x, y; int *p = nondet() ? &x.a : &y.a; *p = 1; return x.a + y.a; }")
    assert region(made, "x") is region(made, "y") is top_of(lead(made, "p")) and not region(made, "x").bytes


def test_what_is_also_used_otherwise_is_no_step() -> None:
    flat = flatten(load_source(f"{TYPES}{MAIN} return p == 0; }}", "test.c", LP64, "unreach-call"))
    member = next(v for v in flat.program.functions["main"].locals if v.name == "q")
    record = next(v for v in flat.program.functions["main"].locals if v.name == "p")
    raw = CPointer(CHAR)
    cast = ir.Cast(ir.Load(ir.VariableLValue.of(member), member.type), raw)
    nearer = ir.PointerAdd(cast, ir.Constant(-8, LLONG), raw)
    moved = ir.PointerAdd(nearer, ir.Constant(-8, LLONG), raw)
    move = ir.Cast(moved, record.type)
    moves = MemberMoves(sizes_of(flat.program))
    found = moves.of(move)
    assert found is not None and found.distance == 16
    assert moves.steps_of(ir.Cast(move, raw)) == {id(cast), id(nearer), id(moved)}
    assert moves.steps_of(ir.Binary("==", ir.Cast(move, raw), moved, INT)) == set()
