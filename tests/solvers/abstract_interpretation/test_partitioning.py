"""Partitioning by conditions: which ones, and loops with phases that they keep apart."""

import time

import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import HornSystem
from chcverify.results.result import Safe
from chcverify.transforms.exact.normalisation import Normalise
from solvers.abstract_interpretation.analysis_passes import PHASES
from solvers.abstract_interpretation.engine import DataFlow
from solvers.abstract_interpretation.partitioning import conditions
from solvers.engine import Context

# The counter x passes 250 and 500; an input is read between the head of the loop and its end.
# head(0, 500);  head(x, y) & x < 1000 & y' = y + (x < 250 ? 0 : x < 500 ? -1 : 1) => mid(x, y', in)
# mid(x, y, in) => head(x + 1, y);  head(x, y) & x >= 1000 & y != 750 => false
THREE_PHASES = """
(declare-fun head (Int Int) Bool)
(declare-fun mid (Int Int Int) Bool)
(assert (head 0 500))
(assert (forall ((x Int) (y Int) (z Int) (input Int))
  (=> (and (head x y) (< x 1000) (= z (ite (< x 250) y (ite (< x 500) (- y 1) (+ y 1))))) (mid x z input))))
(assert (forall ((x Int) (y Int) (z Int) (input Int))
  (=> (and (mid x y input) (= z (+ x 1)) (= input 7)) (head z y))))
(assert (forall ((x Int) (y Int) (z Int) (input Int))
  (=> (and (mid x y input) (= z (+ x 1)) (not (= input 7))) (head z y))))
(assert (forall ((x Int) (y Int)) (=> (and (head x y) (>= x 1000) (not (= y 750))) false)))
"""


def normal(text: str) -> HornSystem:
    return Normalise().apply(read_horn_text(text, "clauses.smt2"))[0]


def over(system: HornSystem, name: str, around_loops: bool) -> list[str]:
    predicate = next(p for p in system.predicates if p.name == name)
    found = conditions(system, 9, around_loops=around_loops)[predicate]
    return [str(z3.substitute(c, *zip(predicate.formals, z3.Ints("x y input"), strict=False))) for c in found]


def test_what_a_loop_tests_later_is_a_condition_of_its_other_predicates() -> None:
    system = normal(THREE_PHASES)
    assert not any("250" in condition for condition in over(system, "mid", around_loops=False))
    later = [condition for condition in over(system, "mid", around_loops=True) if "input" not in condition]
    assert sum("250" in condition for condition in later) == 1  # x + 1 < 250, and not x + 2 < 250
    assert over(system, "head", around_loops=True) == over(system, "head", around_loops=False)


# p(x, y) & x + y <= 2147483647 & x < 10 => p(x + y, y)
def test_tests_for_overflow_are_left_out() -> None:
    text = """
(declare-fun p (Int Int) Bool)
(assert (p 0 1))
(assert (forall ((x Int) (y Int) (z Int))
  (=> (and (p x y) (<= (+ x y) 2147483647) (< x 10) (= z (+ x y))) (p z y))))
"""
    system = normal(text)
    assert len(conditions(system, 9)[system.predicates[0]]) == 2
    assert len(conditions(system, 9, overflows=False)[system.predicates[0]]) == 1


def test_phases_between_the_head_of_a_loop_and_its_end() -> None:
    system = normal(THREE_PHASES)
    context = Context.within(600)
    result = DataFlow("df").solve(system, context)
    assert isinstance(result, Safe)
    assert context.statistics["round"] == PHASES.name
    assert check_model(system, result.model, time.monotonic() + 600).accepted
