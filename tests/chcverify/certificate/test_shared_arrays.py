"""Derivations about long arrays: their obligations are short, hold for the right values, and fail for all others."""

import json
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.files.derivation_json import derivation_from_text, derivation_to_text
from chcverify.certificate.kernel.certificate_obligations import derivation_obligations
from chcverify.certificate.kernel.checkers import cvc5_checker, z3_checker
from chcverify.effort import MAX_CASES
from chcverify.errors import InputError
from chcverify.explain.certificate_lines import certificate_lines
from chcverify.horn.io.writer import to_smtlib
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.outcome import Outcome
from chcverify.terms.core.traversal import subterms

ROOT = Path(__file__).parents[3]

INT = z3.IntSort()
CELLS = z3.ArraySort(INT, INT)
FILLED = Predicate("filled", (INT, CELLS))
COPIED = Predicate("copied", (INT, CELLS, CELLS))
i = z3.Int("i")
a, b, c = (z3.Const(name, CELLS) for name in "abc")
LENGTH = 3 * MAX_CASES
ZERO, END = z3.IntVal(0), z3.IntVal(LENGTH)

SYSTEM = HornSystem.of(
    [
        # a = const(0) => filled(0, a);  filled(i, a) & i < LENGTH => filled(i + 1, a[i := 3 i])
        Clause(FILLED(i, a), (), z3.And(i == 0, a == z3.K(INT, ZERO))),
        Clause(FILLED(i + 1, b), (FILLED(i, a),), z3.And(i < LENGTH, b == z3.Store(a, i, 3 * i))),
        # filled(LENGTH, a) => copied(0, a, const(0))
        Clause(COPIED(ZERO, a, z3.K(INT, ZERO)), (FILLED(END, a),), z3.BoolVal(True)),
        # copied(i, a, b) & i < LENGTH => copied(i + 1, a, b[i := a[i]])
        Clause(COPIED(i + 1, a, c), (COPIED(i, a, b),), z3.And(i < LENGTH, c == z3.Store(b, i, a[i]))),
        # copied(LENGTH, a, b) & b[b[1]] = 9 => false
        Clause(None, (COPIED(END, a, b),), b[b[1]] == 9),
    ]
)


def filled(length: int) -> z3.ExprRef:
    array = z3.K(INT, ZERO)
    for index in range(length):
        array = z3.Store(array, index, 3 * index)
    return array


def derivation() -> Derivation:
    steps = [Step(0, (z3.IntVal(0), filled(0)), ())]
    for length in range(1, LENGTH + 1):
        steps.append(Step(1, (z3.IntVal(length), filled(length)), (len(steps) - 1,)))
    whole = filled(LENGTH)
    steps.append(Step(2, (z3.IntVal(0), whole, filled(0)), (len(steps) - 1,)))
    for length in range(1, LENGTH + 1):
        steps.append(Step(3, (z3.IntVal(length), whole, filled(length)), (len(steps) - 1,)))
    steps.append(Step(4, (), (len(steps) - 1,)))
    return Derivation(tuple(steps))


def later() -> float:
    return time.monotonic() + 600


def test_obligations_do_not_grow_with_the_arrays() -> None:
    sizes = []
    for obligation in derivation_obligations(SYSTEM, derivation(), later()):
        assumption, goal = obligation.build()
        sizes.append(len(list(subterms(assumption, goal))))
    assert max(sizes) < 10 * MAX_CASES


@pytest.mark.parametrize("check", [z3_checker.check_derivation, cvc5_checker.check_derivation])
def test_both_solvers_accept_it(check) -> None:
    assert check(SYSTEM, derivation(), later()).accepted


@pytest.mark.parametrize("check", [z3_checker.check_derivation, cvc5_checker.check_derivation])
@pytest.mark.parametrize("number", [LENGTH // 2, LENGTH, LENGTH + 3, 2 * LENGTH, 2 * LENGTH + 1])
@pytest.mark.parametrize("cell", [0, 1, LENGTH - 1])
def test_a_wrong_cell_is_refused(check, number: int, cell: int) -> None:
    good = derivation()
    step = good.steps[number]
    assert isinstance(step, Step)
    changed = z3.simplify(z3.Store(step.arguments[-1], cell, 1000))
    forged = replace(step, arguments=(*step.arguments[:-1], changed))
    steps = (*good.steps[:number], forged, *good.steps[number + 1 :])
    assert not check(SYSTEM, Derivation(steps), later()).accepted


def test_a_violation_that_reads_another_value_is_refused() -> None:
    system = HornSystem.of([*SYSTEM.clauses[:-1], Clause(None, (COPIED(END, a, b),), b[b[1]] == 10)])
    assert not z3_checker.check_derivation(system, derivation(), later()).accepted


TEXT = derivation_to_text(SYSTEM, derivation())
DATA = json.loads(TEXT)


def test_the_text_grows_with_the_steps_and_not_with_their_square() -> None:
    entries = [value for value in DATA["values"] if isinstance(value, dict)]
    assert DATA["version"] == 5 and len(entries) > LENGTH - 4  # both loops make the same arrays
    assert max(len(json.dumps(value)) for value in DATA["values"]) < 200
    for one, other in zip(derivation_from_text(SYSTEM, TEXT).steps, derivation().steps, strict=True):
        assert isinstance(one, Step) and isinstance(other, Step)
        assert (one.clause, one.premises) == (other.clause, other.premises)
        assert all(a.eq(z3.simplify(b)) for a, b in zip(one.arguments, other.arguments, strict=True))


def test_the_stand_alone_checker_reads_it(tmp_path: Path) -> None:
    derivation_file, clauses = tmp_path / "derivation.json", tmp_path / "clauses.smt2"
    clauses.write_text(to_smtlib(SYSTEM), encoding="utf-8")
    wrong = json.loads(TEXT)
    wrong["values"][-1]["stores"][0][1] = "1000"
    for data, status in ((DATA, 0), (wrong, 1), ({**DATA, "version": 1}, 2)):
        derivation_file.write_text(json.dumps(data), encoding="utf-8")
        command = [sys.executable, ROOT / "check_certificate.py", derivation_file, clauses]
        assert subprocess.run(command, capture_output=True).returncode == status


def test_people_see_what_is_stored() -> None:
    outcome = Outcome("unsafe", "unsat", certificate=TEXT)
    lines = [line.text for line in certificate_lines(outcome)]
    assert (
        f"  {LENGTH}: filled({LENGTH}, (store ... {LENGTH - 1} {3 * LENGTH - 3})) from {LENGTH - 1} by clause 1"
        in lines
    )


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ({"of": 0}, '"values"'),
        ({"of": 0, "stores": 1}, '"values"'),
        ({"of": 0, "stores": [["1"]]}, '"values"'),
        ({"of": 10_000, "stores": []}, '"values"'),
        ({"of": -1, "stores": []}, '"values"'),
        ({"of": "0", "stores": [["0", "0"]]}, "unusable value"),
        ({"of": 0, "stores": [["true", "0"]]}, "unusable value"),
        ({"of": 0, "stores": [["0", ["0"]]]}, '"values"'),
    ],
)
def test_bad_stores_are_one_line(value: object, message: str) -> None:
    values = [*DATA["values"][:-1], value]
    with pytest.raises(InputError) as caught:
        derivation_from_text(SYSTEM, json.dumps({**DATA, "values": values}), "file")
    assert message in caught.value.message and "\n" not in str(caught.value)


def test_stores_where_a_number_is_expected() -> None:
    steps = [{**DATA["steps"][0], "arguments": [len(DATA["values"]) - 1, "0"]}, *DATA["steps"][1:]]
    with pytest.raises(InputError, match="no array is expected"):
        derivation_from_text(SYSTEM, json.dumps({**DATA, "steps": steps}), "file")
