"""Which cells are forgotten where a block ends."""

from encoders.c.cfa import ir
from encoders.c.encoding.encoder import encode
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64
from encoders.c.types.record_layout import SEPARATE_CELLS

HEADER = """
void *malloc(unsigned long); void free(void *); void reach_error(void); unsigned __VERIFIER_nondet_uint(void);
"""


def counts(text: str, property: str = "unreach-call") -> list[int | None]:
    """The cells that each part of the first block that a program forgets has."""
    encoding = encode(load_source(HEADER + text, "a.c", LP64, property))
    for edge in encoding.flat.edges():
        if isinstance(edge.operation, ir.Forget):
            block = encoding.objects.forgotten.of(edge.operation, edge.frame)
            return [] if block is None else [count for _, _, count in block.parts]
    return []


def test_the_cells_of_small_blocks_are_known() -> None:
    body = "int main(void) { int *a = MADE; a[0] = 1; free(a); if (a[0]) reach_error(); }"
    assert counts(body.replace("MADE", "malloc(12)")) == [3]
    assert counts(body.replace("MADE", f"malloc({4 * SEPARATE_CELLS})")) == [SEPARATE_CELLS]
    assert counts(body.replace("MADE", f"malloc({4 * SEPARATE_CELLS + 4})")) == [None]
    assert counts(body.replace("MADE", "malloc(__VERIFIER_nondet_uint())")) == [None]


def test_sizes_are_passed_to_functions() -> None:
    made = "static int *made(unsigned long n) { return malloc(n); }"
    body = "int main(void) { int *a = made(8); *a = 1; free(a); if (*a) reach_error(); }"
    assert counts(made + body) == [2]
    changed = made.replace("{", "{ n = n * __VERIFIER_nondet_uint();")
    assert counts(changed + body) == [None]


def test_each_member_of_a_record_is_a_part() -> None:
    text = """struct s { int a; char b[3]; };
    int main(void) { struct s *p = malloc(2 * sizeof *p); p[1].b[2] = p[0].a = 1; free(p); if (p->a) reach_error(); }"""
    found = counts(text)
    assert len(found) == 2 and all(count is not None and count >= 2 for count in found)


def test_nothing_is_forgotten_where_lifetimes_are_checked() -> None:
    text = "int main(void) { int *a = malloc(4); *a = 1; free(a); return *a; }"
    assert counts(text, "lifetime") == []
