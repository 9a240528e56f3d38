"""Checks come before accesses, lifetimes end with blocks, and programs without such a property stay as they are."""

from automata_text import operation_text

from encoders.c.cfa import ir
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

PRELUDE = "typedef unsigned long size_t; void *malloc(size_t); void *realloc(void *, size_t); void free(void *);\n"


def edges_of(text: str, property: str = "valid-memsafety", function: str = "main") -> list[ir.Edge]:
    return list(load_source(PRELUDE + text, "test.c", LP64, property).functions[function].edges)


def checks(text: str, property: str = "valid-memsafety", function: str = "main") -> list[str]:
    """The checks of a function, as the printer shows them."""
    found = [edge.operation for edge in edges_of(text, property, function)]
    kinds = (ir.CheckAccess, ir.Release, ir.EndLifetimes, ir.CheckBlocks)
    return [operation_text(operation) for operation in found if isinstance(operation, kinds)]


def test_an_access_through_a_pointer_is_checked_before_it_is_made() -> None:
    edges = edges_of("int main(void) { int x, *p = &x; *p = 1; return 0; }", "bounds")
    position = next(i for i, edge in enumerate(edges) if isinstance(edge.operation, ir.CheckAccess))
    assert operation_text(edges[position].operation) == "check access *main::p"
    follower = next(edge for edge in edges if edge.source == edges[position].target)
    assert operation_text(follower.operation) == "*main::p = 1"


def test_constant_indices_in_bounds_and_addresses_are_no_checked_accesses() -> None:
    body = "int a[3]; int *p = &a[7]; a[2] = 1; int n = sizeof *p; int i = n; a[i] = 0; return a[3];"
    assert checks(f"int main(void) {{ {body} }}", "bounds") == [
        "check access main::a[(long)main::i]",
        "check access main::a[3:long]",
    ]


def test_only_what_is_evaluated_is_checked() -> None:
    edges = edges_of("int main(void) { int *p = 0; if (p && *p) return 1; return 0; }", "null")
    access = next(edge for edge in edges if isinstance(edge.operation, ir.CheckAccess))
    before = next(edge for edge in edges if edge.target == access.source)
    assert operation_text(before.operation) == "assume main::p"


def test_a_value_that_nobody_uses_is_read() -> None:
    assert checks("int main(void) { int *p = 0; *p; (void)*p; return 0; }", "null") == ["check access *main::p"] * 2


def test_lifetimes_end_where_blocks_are_left() -> None:
    body = "for (int i = 0; i < 2; i++) { int x; int *p = &x; if (i) break; if (*p) goto out; } out: return 0;"
    ends = [text for text in checks(f"int main(void) {{ {body} }}", "lifetime") if text.startswith("end")]
    assert ends == ["end main::x"] * 3


def test_free_releases_and_the_end_of_main_is_checked() -> None:
    text = "int main(void) { int *p = malloc(4); free(p); return 0; }"
    assert checks(text, "valid-memcleanup") == ["release (void *)main::p"]
    assert checks(text, "valid-memcleanup", "<init>") == ["check blocks"]


def test_realloc_releases_first_and_does_not_check_its_own_copying() -> None:
    text = "int main(void) { char *p = malloc(4); p = realloc(p, 8); return 0; }"
    assert checks(text, function="realloc")[0].startswith("release")
    assert not [found for found in checks(text, function="realloc") if found.startswith("check")]


def test_nothing_is_added_without_such_a_property() -> None:
    text = "int main(void) { int x, *p = &x; { int y; p = &y; } *p = 1; free(p); return *p; }"
    for property in ("unreach-call", "no-overflow"):
        assert not checks(text, property)
        assert not checks(text, property, "<init>")


def test_divisions_and_shifts_are_branches_to_the_violation() -> None:
    text = "int main(void) { int x = 1, y = 0; return x / y + (x << y); }"
    kinds = {
        edge.operation.kind.value
        for edge in edges_of(text, "division,shift")
        if isinstance(edge.operation, ir.ReachError)
    }
    assert kinds == {"division", "shift"}


def test_code_marked_unreachable() -> None:
    operations = [edge.operation for edge in edges_of("int main(void) { __builtin_unreachable(); }", "unreachable")]
    assert [o.kind.value for o in operations if isinstance(o, ir.ReachError)] == ["unreachable"]
