"""cvc5 is asked many small obligations as one formula: the same findings with fewer questions."""

import time

import pytest
import z3

from chcverify.certificate.kernel.checkers import cvc5_checker
from chcverify.certificate.kernel.checkers.cvc5_process import Cvc5
from chcverify.certificate.kernel.obligation import HOLDS, Obligation

X, Y = z3.Ints("x y")
UNSORTED = z3.Bool("x")  # the name of another variable


def obligation(assumption: z3.BoolRef, goal: z3.BoolRef, *variables: z3.ExprRef) -> Obligation:
    return Obligation(f"{assumption} => {goal}", lambda: (assumption, goal), not variables, variables)


def valid(number: int) -> Obligation:
    return obligation(number < X, number - 1 < X, X)


WRONG = obligation(X > 0, X > 1, X)


@pytest.fixture
def questions(monkeypatch):
    """The scripts that are asked, in order."""
    asked = []
    check = Cvc5.check

    def recording(self, text, seconds):
        asked.append(text)
        return check(self, text, 600.0)  # whatever else the machine does

    monkeypatch.setattr(Cvc5, "check", recording)
    return asked


def discharged(obligations):
    return cvc5_checker.discharge(obligations, time.monotonic() + 600)


def test_small_obligations_are_one_question(questions):
    several = [valid(number) for number in range(cvc5_checker.MAX_COMPARED)]
    assert discharged(several) == [HOLDS] * len(several)
    assert len(questions) == 1
    assert discharged([*several, valid(99)]) == [HOLDS] * (len(several) + 1)
    assert len(questions) == 3


def test_variables_of_the_same_name_and_of_other_sorts(questions):
    mixed = [
        valid(0),
        obligation(UNSORTED, z3.Or(UNSORTED, z3.Not(UNSORTED)), UNSORTED),
        obligation(X < Y, Y > X, X, Y),
    ]
    assert discharged(mixed) == [HOLDS] * 3
    assert len(questions) == 1


@pytest.mark.parametrize("position", range(5))
def test_the_one_that_fails_is_named(position, questions):
    findings = discharged([WRONG if number == position else valid(number) for number in range(5)])
    assert [finding.status for finding in findings].index("fails") == position
    assert not any(finding.status == "holds" for finding in findings), "the others were not asked to the end"
    assert findings[position].reason == "it does not hold"
    assert len(questions) == 2 + position


def test_the_step_that_fails_is_named(questions):
    steps = [obligation(z3.BoolVal(True), z3.IntVal(number) != 3) for number in range(6)]
    assert [finding.status for finding in discharged(steps)].index("fails") == 3


def test_quantifiers_and_large_formulas_are_asked_by_themselves(questions, monkeypatch):
    always = obligation(z3.ForAll([Y], Y != X), z3.BoolVal(False), X)
    assert discharged([valid(0), always, valid(1)]) == [HOLDS] * 3
    assert len(questions) == 3
    questions.clear()
    monkeypatch.setattr(cvc5_checker, "MAX_BUILT", 3)
    assert discharged([valid(0), valid(1)]) == [HOLDS] * 2
    assert len(questions) == 2


def test_a_batch_without_an_answer_is_asked_one_by_one(monkeypatch):
    sizes = []

    def check(self, text, seconds):
        several = "v_1" in text
        sizes.append(several)
        return ("unknown", "timeout") if several else ("unsat", "")

    monkeypatch.setattr(Cvc5, "check", check)
    three = [obligation(z3.Int(f"n{i}") > 0, z3.Int(f"n{i}") > -1, z3.Int(f"n{i}")) for i in range(3)]
    assert discharged(three) == [HOLDS] * 3
    assert sizes == [True, False, False, False]


def test_what_fails_only_together_is_refused(monkeypatch):
    """A solver that contradicts itself: no obligation of the batch holds."""
    monkeypatch.setattr(Cvc5, "check", lambda self, text, seconds: ("sat", "") if "v_1" in text else ("unsat", ""))
    two = [obligation(z3.Int(f"n{i}") > 0, z3.Int(f"n{i}") > -1, z3.Int(f"n{i}")) for i in range(2)]
    assert [finding.status for finding in discharged(two)] == ["fails", "fails"]


def chain(length: int, value: int) -> z3.ArrayRef:
    """The cells 0 to length - 1 hold their numbers, all others the value."""
    array = z3.K(z3.IntSort(), z3.IntVal(value))
    for number in range(length):
        array = z3.Store(array, number, number)
    return array


ARRAY, OTHER = z3.Array("a", z3.IntSort(), z3.IntSort()), z3.Array("b", z3.IntSort(), z3.IntSort())


def test_stores_into_arrays_with_one_value_everywhere(questions):
    """cvc5 refuses formulas with several such arrays; what these hold elsewhere does not matter here."""
    assumption = z3.And(chain(20, 0) == ARRAY, chain(30, 7) == OTHER)
    goal = z3.And(z3.Store(ARRAY, 20, 20) == chain(21, 0), z3.Store(OTHER, 30, 30) == chain(31, 7))
    assert discharged([obligation(assumption, goal, ARRAY, OTHER)]) == [HOLDS]
    assert len(questions) == 1 and "(as const" not in questions[0]


def test_what_such_arrays_hold_is_known(questions):
    held = obligation(chain(2, 7) == ARRAY, ARRAY[X] == z3.If(z3.Or(X == 0, X == 1), X, 7), ARRAY, X)
    assert discharged([held]) == [HOLDS]
    (finding,) = discharged([obligation(chain(2, 7) == ARRAY, ARRAY[X] == 7, ARRAY, X)])
    assert finding.status == "fails"
    assert "(as const" in questions[-1]


def test_what_cvc5_refuses_is_not_asked_again(monkeypatch):
    asked = []

    def refusing(self, text, seconds):
        asked.append(text)
        return "refused", "not supported"

    monkeypatch.setattr(Cvc5, "check", refusing)
    findings = discharged([valid(0), valid(1)])
    assert [finding.reason for finding in findings] == ["not supported"] * 2
    assert len(asked) == 3, "both together, then each by itself"
