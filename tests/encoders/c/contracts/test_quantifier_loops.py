"""Quantifiers over ranges that are not constant: as checks, assumptions and conditions."""

from itertools import pairwise
from pathlib import Path

import pytest

from chcverify.options import HarnessOptions, SourceFile
from encoders.c.cfa.ir import Program
from encoders.c.contracts.acsl_expressions import NoMeaning, Translation
from encoders.c.contracts.quantifier_loops import QuantifierUse
from encoders.c.execution.inputs import Random
from encoders.c.execution.interpreter import execute
from encoders.c.frontend import Begin, load_files
from encoders.c.types.c_types import LP64

ARRAYS = [[0, 0, 0], [1, 2, 3], [1, 3, 2], [2, 1, 1], [0, 0, 1]]
PREDICATES = {
    "\\forall integer i; 0 <= i < n ==> a[i] == 0": lambda a, n: all(x == 0 for x in a[:n]),
    "\\forall integer i; 0 <= i && i <= n - 1 ==> a[i] != 2": lambda a, n: 2 not in a[:n],
    "\\forall integer i, j; 0 <= i < j < n ==> a[i] <= a[j]": lambda a, n: a[:n] == sorted(a[:n]),
    "\\exists integer i; 0 <= i < n && a[i] == 2": lambda a, n: 2 in a[:n],
    "!(\\forall integer i; 0 <= i < n ==> a[i] == 0)": lambda a, n: any(a[:n]),
    "n > 1 ==> \\forall integer i; 0 < i < n ==> a[i] > a[i - 1]": lambda a, n: all(x < y for x, y in pairwise(a[:n])),
    "\\forall integer i; 0 <= i < n ==> \\exists integer j; 0 <= j < n && a[j] == i": lambda a, n: (
        set(range(n)) <= set(a[:n])
    ),
    "(\\forall integer i; 0 <= i < n ==> a[i] == 0) || n == 3": lambda a, n: not any(a[:n]) or n == 3,
}
FRAME = """
int a[3], n;
/*@ requires %s; assigns \\nothing; ensures %s; */
int f(void);
int f(void) { return 0; }
int main(void) { a[0] = %d; a[1] = %d; a[2] = %d; n = %d; f(); __CPROVER_assert(0, ""); return 0; }
"""


def outcomes(program: Program, runs: int = 150) -> set[str]:
    """The kinds of checks that some runs violate, and the outcomes of those that violate none."""
    found = set()
    for seed in range(runs):
        ended = execute(program, Random(seed, (0, 1, 2), 1))
        found.add(ended.outcome if ended.violation is None else ended.violation.check.kind.value)
    return found


def load(path: Path, requires: str, ensures: str, values: list[int], n: int) -> Program:
    path.write_text(FRAME % (requires, ensures, *values, n))
    return load_files([SourceFile(str(path))], LP64, "assertion,contract", begin=Begin(contracts=True, uses=("f",)))


@pytest.mark.parametrize("predicate", PREDICATES)
def test_what_calls_must_keep_and_what_they_may_assume(predicate: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    for values in ARRAYS:
        for n in range(4):
            holds = PREDICATES[predicate](values, n)
            checked = outcomes(load(path, predicate, "\\true", values, n))
            assert ("contract" in checked) == (not holds), path.read_text()
            assumed = outcomes(load(path, "\\true", predicate, values, n), 3)
            assert ("assertion" in assumed) == holds, path.read_text()


@pytest.mark.parametrize("predicate", PREDICATES)
def test_assertions(predicate: str, tmp_path: Path) -> None:
    path = tmp_path / "p.c"
    for values in ARRAYS:
        path.write_text(
            f"int main(void) {{ int a[3] = {{{values[0]}, {values[1]}, {values[2]}}}, n = 3;\n"
            f"//@ assert {predicate};\n return 0; }}"
        )
        program = load_files([SourceFile(str(path))], LP64, "assertion", begin=Begin(contracts=True))
        assert outcomes(program, 1) == {"end" if PREDICATES[predicate](values, 3) else "assertion"}


def test_the_proof_of_a_contract(tmp_path: Path) -> None:
    text = """int a[3];
/*@ requires \\forall integer i; 0 <= i < n ==> a[i] == 0;
    requires 0 <= n <= 3;
    assigns a[0 .. n - 1];
    ensures \\forall integer i; 0 <= i < n ==> a[i] == CLAIM; */
void next(int n) { for (int i = 0; i < n; i++) a[i]++; }
int main(void) { return 0; }
"""
    path = tmp_path / "p.c"
    options = HarnessOptions(contracts=True, modular=True)
    begin = Begin("next", options, contracts=True, modular=True)
    for claim in ("1", "2"):
        path.write_text(text.replace("CLAIM", claim))
        found = outcomes(load_files([SourceFile(str(path))], LP64, "assertion,contract", begin=begin), 400)
        assert ("contract" in found) == (claim == "2")
        assert "end" in found


@pytest.mark.parametrize(
    "predicate, reason",
    [
        ("\\forall int i; 0 <= i < n ==> a[i] == 0", "\\forall over other variables than of the type integer"),
        ("\\forall integer i; a[i] == 0", "\\forall without a range"),
        ("\\forall integer i; i < n ==> a[i] == 0", "\\forall over the range i < n"),
        ("\\forall integer i, j; 0 <= j < i < n ==> a[i] == 0", "\\forall over the range 0 <= j < i < n"),
        ("\\exists integer i; a[i] == 0", "\\exists without a range"),
        ("\\forall integer i; 0 <= i < n ==> a[i] == \\old(a[i])", "\\old of what depends on a variable"),
    ],
)
def test_what_has_no_meaning(predicate: str, reason: str) -> None:
    with pytest.raises(NoMeaning) as found:
        Translation(keeps_old=True, quantifiers=QuantifierUse.CHECK).predicate(predicate)
    assert str(found.value).startswith(reason)
