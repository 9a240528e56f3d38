"""What functions write and read, in names of their contracts."""

from encoders.c.frontend import load_source
from encoders.c.summaries.accessed_locations import (
    AnyIndex,
    FixedIndex,
    MemberName,
    NamedLocation,
    accesses_of,
    callees_of,
)
from encoders.c.types.c_types import LP64

TEXT = """
struct s { int a[3]; int n; };
int g, table[4];
struct s record;
void scalar(int *p) { *p = g; }
void member(struct s *p, int i) { p->n = 1; p->a[2] = 5; record.n = i; }
void any(int *a, int i) { a[i] = table[i]; }
void moved(int *p) { while (*p) *p++ = 0; }
void local(void) { int x = 1; scalar(&x); int b[2]; any(b, 1); }
void outer(int *q, struct s *r) { scalar(q); scalar(&r->n); any(table, 2); scalar(&table[1]); }
void deep(int *q, int n) { if (n) deep(q + 1, n - 1); *q = 0; }
void count(void) { static int k; k++; }
int main(void) {
  local(); member(&record, 1); moved(table); outer(&g, &record); deep(table, 2); count(); return 0;
}
"""


def written(name: str) -> set[tuple[object, ...]]:
    return {(place.root, place.is_parameter, *place.steps) for place in found(name)}


def found(name: str) -> list[NamedLocation]:
    accesses = accesses_of(load_source(TEXT, "a.c", LP64))[name]
    assert not accesses.unnamed, accesses.unnamed
    return list(accesses.written)


def unnamed(name: str) -> str:
    return accesses_of(load_source(TEXT, "a.c", LP64))[name].unnamed


def test_locations_behind_parameters_and_in_variables() -> None:
    assert written("scalar") == {("p", True, FixedIndex(0, 0))}
    assert written("member") == {
        ("p", True, FixedIndex(0, 0), MemberName("n")),
        ("p", True, FixedIndex(0, 0), MemberName("a"), FixedIndex(2, 2)),
        ("record", False, MemberName("n")),
    }
    assert written("any") == {("a", True, AnyIndex())}
    accesses = accesses_of(load_source(TEXT, "a.c", LP64))["any"]
    assert ("table", FixedIndex(0, 3)) in {(place.root, *place.steps) for place in accesses.read}


def test_locations_of_called_functions_in_names_of_the_caller() -> None:
    assert written("local") == set()
    assert written("outer") == {
        ("q", True, FixedIndex(0, 0)),
        ("r", True, FixedIndex(0, 0), MemberName("n")),
        ("table", False, FixedIndex(0, 3)),
        ("table", False, FixedIndex(1, 1)),
    }
    assert written("deep") == {("q", True, FixedIndex(0, 0)), ("q", True, AnyIndex())}


def test_what_has_no_name() -> None:
    assert unnamed("moved").startswith("what is written at a.c:8:")
    assert unnamed("count").startswith("what is written at a.c:12:")
    assert unnamed("main").startswith("it calls moved: what is written at")


def test_calls_through_others() -> None:
    callees = callees_of(load_source(TEXT, "a.c", LP64))
    assert callees["outer"] == {"scalar", "any"}
    assert callees["deep"] == {"deep"}
