"""Candidates for contracts, without a model: what the automata say of the locations that functions access."""

from chcverify.results.source_facts import ContractCandidate
from encoders.c.encoding.encoder import EncodeOptions, encode
from encoders.c.frontend import load_source
from encoders.c.summaries.contract_candidates import contract_candidates
from encoders.c.types.c_types import LP64

TEXT = """
struct s { int n; int *end; };
int g;
void swap(int *p, int *q) { int t = *p; *p = *q; *q = t; }
void count(void) { g++; }
int twice(int x) { return x + x; }
int main(void) { int a = 1, b = 2; swap(&a, &b); count(); return twice(a); }
"""


def candidates(*names: str) -> dict[str, ContractCandidate]:
    """The candidates for these functions of the text."""
    encoding = encode(load_source(TEXT, "a.c", LP64), options=EncodeOptions(summaries=frozenset(names)))
    return {found.function: found for found in contract_candidates(encoding, None, names)}


def test_what_a_function_writes_is_assigned() -> None:
    found = candidates("swap", "count", "twice")
    assert found["swap"].assigns == ("*p", "*q")
    assert found["count"].assigns == ("g",)
    assert found["twice"].assigns == ("\\nothing",)


def test_pointers_are_valid_and_point_to_different_objects() -> None:
    found = candidates("swap", "count")
    assert "\\valid(p)" in found["swap"].requires
    assert "\\separated(p, q)" in found["swap"].requires
    assert found["swap"].has_pointers
    assert not found["count"].has_pointers


def test_a_function_that_nothing_calls_has_none() -> None:
    assert candidates("swap", "unknown").keys() == {"swap"}
