"""Violations under functions that call themselves: what they are is computed, and only where all calls end."""

from pathlib import Path

import pytest
import z3

from chcverify.results.checks import CheckStatus
from encoders.boogie.definitions.terminating_functions import DefinedValues, definitions_among
from tests.encoders.boogie.test_boogie_programs import outcome_of

P, V, U = CheckStatus.PROVED, CheckStatus.VIOLATED, CheckStatus.UNKNOWN
FACTORIAL = "function fact(n: int): int { if n <= 0 then 1 else n * fact(n - 1) } "


def statuses(tmp_path: Path, text: str) -> list[CheckStatus]:
    path = tmp_path / "p.bpl"
    path.write_text(text)
    return [verdict.status for verdict in outcome_of(path, seconds=20.0).checks]


VIOLATED = {
    "the value of a call": "procedure p(n: int) { assert fact(n) != 120; }",
    "a function above it": "function g(n: int): int { fact(n) + 1 } procedure p(n: int) { assert g(n) < 7; }",
    "a loop": """procedure p(n: int) { var i, r: int; i := 0; r := 1;
        while (i < n) { i := i + 1; r := r * i; assert r == fact(i) && i < 3; } }""",
    "two parameters": """function power(b: int, e: int): int { if e <= 0 then 1 else b * power(b, e - 1) }
        procedure p(x: int) { assert power(x, 3) != 27; }""",
    "upwards": """function count(i: int, n: int): int { if i < n then 1 + count(i + 1, n) else 0 }
        procedure p(n: int) { assert count(2, n) != 3; }""",
    "an axiom that is a definition": """function sum(n: int): int; axiom (forall n: int :: {sum(n)}
        sum(n) == (if n > 0 then n + sum(n - 1) else 0)); procedure p(n: int) { assert sum(n) != 10; }""",
    "a predicate": """function even(n: int): bool { n == 0 || (n > 0 && !even(n - 1)) }
        procedure p(n: int) { assert even(n) ==> n < 3; }""",
}
OPEN = {
    "a definition that contradicts itself": """function f(n: int): int { f(n) + 1 }
        procedure p(n: int) { assert n > 0; }""",
    "calls that do not end": """function f(n: int): int { if n == 0 then 0 else f(n + 1) }
        procedure p(n: int) { assert f(n) == 7 ==> n > 0; }""",
    "what another axiom says": """axiom (forall n: int :: {fact(n)} fact(n) < 100);
        procedure p(n: int) { assert fact(n) != 120; }""",
    "a quantifier": "procedure p(n: int) { assert (exists k: int :: fact(k) == n); }",
}


@pytest.mark.parametrize("name", VIOLATED)
def test_violations_are_found(tmp_path: Path, name: str) -> None:
    assert V in statuses(tmp_path, FACTORIAL + VIOLATED[name])


@pytest.mark.parametrize("name", OPEN)
def test_nothing_is_claimed_where_the_axioms_may_have_no_solution(tmp_path: Path, name: str) -> None:
    path = tmp_path / "p.bpl"
    path.write_text(FACTORIAL + OPEN[name])
    assert V not in {verdict.status for verdict in outcome_of(path, seconds=4.0).checks}


def test_what_holds_is_still_proved(tmp_path: Path) -> None:
    text = "procedure p(n: int) { assert n > 0 ==> fact(n) == n * fact(n - 1); assert fact(3) == 6; }"
    assert statuses(tmp_path, FACTORIAL + text) == [P, P]


def test_values_are_those_of_the_definition() -> None:
    f = z3.Const("f", z3.ArraySort(z3.IntSort(), z3.IntSort()))
    n = z3.Int("n")
    axiom = z3.ForAll([n], f[n] == z3.If(n < 2, n, f[n - 1] + f[n - 2]))
    definitions, others = definitions_among([axiom, z3.Int("c") > 0])
    assert len(definitions) == 1 and len(others) == 1
    value = DefinedValues(definitions).value(f[f[z3.IntVal(6)] + 12])
    assert value.eq(z3.IntVal(6765))
    assert definitions_among([axiom, f[z3.IntVal(5)] == 1])[0] == []
    assert definitions_among([z3.ForAll([n], f[n] == f[n] + 1)])[0] == []
