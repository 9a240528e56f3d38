"""Arrays inside of records along which pointers are moved: which keep their types, and which addresses count."""

import pytest

from encoders.c.analysis.member_arrays import computed_addresses, is_held_inside
from encoders.c.analysis.points_to import PointsTo
from encoders.c.analysis.regions import Region, RegionFlag, find
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import flatten
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

TYPES = (
    "void *malloc(unsigned long); int nondet(void); struct n { struct n *next; int a[4]; struct { char *s; } r[2]; };"
    " struct d { int v; int a[4]; };\n"
)


def analysed(body: str) -> PointsTo:
    text = f"{TYPES}int main(void) {{ int i = nondet(); {body} return 0; }}"
    return PointsTo(flatten(load_source(text, "a.c", LP64, "valid-memsafety")))


def led_to(points_to: PointsTo, name: str) -> Region:
    """The region that the pointer in a variable leads to."""
    (slot,) = (node for slot, node in points_to.regions.slots() if slot.variable.name == name)
    assert slot.pointee is not None
    return find(slot.pointee)


@pytest.mark.parametrize(
    "body",
    [
        "struct n *x = malloc(sizeof *x); int *p = x->a; p++;",
        "struct n y, *x = &y; int *p = x->a; p[i] = 1;",
        "struct n *x = malloc(sizeof *x), y; x->next = &y; int *p = y.next->a + i;",
        "struct { struct n n; } *x = malloc(sizeof *x); int *p = x->n.a; p += i;",
    ],
    ids=["block", "variable", "list", "record in a record"],
)
def test_arrays_of_single_records_with_pointers_keep_their_types(body: str) -> None:
    found = led_to(analysed(body), "p")
    assert not found.bytes and RegionFlag.HELD_INSIDE in found.flags


@pytest.mark.parametrize(
    "body",
    [
        "struct n *x = malloc(2 * sizeof *x); int *p = x->a; p++;",
        "struct n *x = malloc(i); int *p = x->a; p++;",
        "struct n y[2], *x = y; int *p = x->a; p++;",
        "struct n *x = malloc(sizeof *x); x += i; int *p = x->a; p++;",
        "struct d *x = malloc(sizeof *x); int *p = x->a; p++;",
        "struct n *x = malloc(sizeof *x); int *p = i ? x->a : &i; p++;",
        "struct n *x = malloc(sizeof *x); int *p = i ? x->a : malloc(4); p++;",
        "struct { struct n n[2]; } *x = malloc(sizeof *x); int *p = x->n[1].a; p++;",
    ],
    ids=[
        "two records",
        "any size",
        "array",
        "moved record",
        "no pointers",
        "a variable as well",
        "a block as well",
        "array of records",
    ],
)
def test_other_arrays_become_bytes(body: str) -> None:
    assert led_to(analysed(body), "p").bytes


def test_arrays_along_which_no_pointer_is_moved_need_not_be_held() -> None:
    found = led_to(analysed("struct n *x = malloc(sizeof *x); int *p = x->a; *p = x->a[3];"), "p")
    assert not found.bytes and RegionFlag.HELD_INSIDE not in found.flags


def addresses(body: str) -> list[str]:
    """The kinds of addresses that the last edge of main with an assignment computes."""
    points_to = analysed(body)
    edges = [edge for edge in points_to.flat.edges() if isinstance(edge.operation, ir.Assign)]
    texts = []
    for node in computed_addresses(*edges[-2].roots):  # the last one assigns the result
        is_held = isinstance(node, ir.PointerAdd) and is_held_inside(points_to, node, edges[-2].frame)
        texts.append("held" if is_held else type(node).__name__)
    return texts


def test_accesses_have_checks_of_their_own() -> None:
    begin = "struct n *x = malloc(sizeof *x); int *p = x->a, *q;"
    assert addresses(f"{begin} q = p + i;") == ["held"]
    assert addresses(f"{begin} p[i] = *(p + 2) + *(p + i + 1);") == []
    assert addresses(f"{begin} p[*(p + i)] = 1;") == []
    assert addresses(f"{begin} q = &x->a[i];") == ["AddressOf"]
    assert addresses(f"{begin} i = p + i < p;") == ["held"]
