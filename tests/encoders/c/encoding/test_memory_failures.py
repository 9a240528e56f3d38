"""The conditions under which checks of memory fail, as clauses have them."""

import pytest
import z3

from chcverify.results.checks import CheckKind
from encoders.c.encoding.encoder import encode
from encoders.c.encoding.linear_integers import LinearIntegers
from encoders.c.encoding.memory import memory_failures
from encoders.c.encoding.memory.memory_failure import MemoryFailure
from encoders.c.encoding.memory.object_extents import declared_bytes
from encoders.c.frontend import load_source
from encoders.c.types.c_types import INT, LP64


def failures(body: str) -> list[MemoryFailure]:
    """The failures of the checks of a program with this body of main, in the order of the clauses."""
    text = f"int __VERIFIER_nondet_int(void); int main(void) {{ int i = __VERIFIER_nondet_int(); {body} return 0; }}"
    encoding = encode(load_source(text, "a.c", LP64, "undefined-behaviour"), "undefined-behaviour")
    return [info.failure for info in encoding.infos if info.failure is not None]


def is_possible(*conditions: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.add(*conditions)
    # exists state. all conditions hold
    return solver.check() == z3.sat


def test_an_index_is_out_of_bounds_where_it_is_no_element() -> None:
    found = [failure for failure in failures("int t[4] = {0}; t[i] = 1;") if failure.kind is CheckKind.BOUNDS]
    assert found
    (index,) = {name for failure in found for name in z3.z3util.get_vars(failure.condition)}
    for value in range(-2, 7):
        outside = any(is_possible(failure.condition, index == value) for failure in found)
        assert outside == (not 0 <= value < 4), value


def test_an_index_too_large_to_be_computed_with_is_no_element(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory_failures, "LARGEST_OBJECT", 64)
    found = [failure for failure in failures("int t[4] = {0}; t[i] = 1;") if failure.kind is CheckKind.BOUNDS]
    (index,) = {name for failure in found for name in z3.z3util.get_vars(failure.condition)}
    for value in (-(1 << 31), -17, -1, 0, 3, 4, 17, (1 << 31) - 1):
        outside = any(is_possible(failure.condition, index == value) for failure in found)
        assert outside == (not 0 <= value < 4), value


def test_an_array_of_variable_length_has_the_bytes_of_its_elements() -> None:
    theory = LinearIntegers()
    for length in (0, 1, 5):
        assert declared_bytes(theory.literal(length, INT), INT, theory, 8).constant == 8 * length


def test_an_index_that_is_an_element_has_no_failure() -> None:
    assert not any(failure.kind is CheckKind.BOUNDS for failure in failures("int t[4] = {0}; t[3] = 1;"))


def test_an_access_that_is_asked_for_is_no_query() -> None:
    asked = "_Bool __CPROVER_r_ok(const void *, unsigned long); if (__CPROVER_r_ok(&i, 5)) i = 1;"
    assert "__CPROVER_r_ok" in asked and failures(asked) == []
