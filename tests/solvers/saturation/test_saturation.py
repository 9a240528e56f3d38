"""saturation: answers with checked certificates; what it over-approximates is never called a violation."""

import pytest
import z3
from linear_systems import accepted

from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.core.traversal import conjuncts, is_nonlinear, subterms
from solvers.engine import Context
from solvers.saturation.engine import Saturation, Tabling

# A relation between points whose first argument is the same everywhere: facts, rotation, and a clause of three atoms.
# a <= x & x < y & y <= z => turn(a, x, y, z)
# turn(a, x, y, z) & turn(a, y, z, x) & turn(a, z, x, y) => turn(a, y, x, z)
ORDERED = """
(declare-fun turn ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((a (_ BitVec 8)) (x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
  (=> (and (bvsle a x) (bvslt x y) (bvsle y z)) (turn a x y z))))
(assert (forall ((a (_ BitVec 8)) (x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
  (=> (turn a x y z) (turn a y z x))))
(assert (forall ((a (_ BitVec 8)) (x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
  (=> (and (turn a x y z) (turn a y z x) (turn a z x y)) (turn a y x z))))
(assert (forall ((a (_ BitVec 8)) (x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
  (=> (and (turn a x y z) QUERY) false)))
"""

# x = 1 => p(x);  p(x) & p(y) => q(x + y);  q(x) => r(x, x);  r(x, y) & p(z) & x != WANTED => false
SUMS = """
(declare-fun p (Int) Bool)
(declare-fun q (Int) Bool)
(declare-fun r (Int Int) Bool)
(assert (p 1))
(assert (forall ((x Int) (y Int)) (=> (and (p x) (p y)) (q (+ x y)))))
(assert (forall ((x Int)) (=> (q x) (r x x))))
(assert (forall ((x Int) (y Int) (z Int)) (=> (and (r x y) (p z) (not (= (+ x y z) WANTED))) false)))
"""

# p(x) for any x;  p(x) => q(x * x + 2 * x): no projection without x.  q(y) & y = 5 => false: 5 + 1 is no square.
SQUARES = """
(declare-fun p ((_ BitVec 8)) Bool)
(declare-fun q ((_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8))) (p x)))
(assert (forall ((x (_ BitVec 8))) (=> (p x) (q (bvadd (bvmul x x) (bvmul #x02 x))))))
(assert (forall ((y (_ BitVec 8))) (=> (and (q y) (= y VALUE)) false)))
"""

# p(0);  p(x) => p(x + 1);  p(x) & x = -1 => false
COUNTER = """
(declare-fun p (Int) Bool)
(assert (p 0))
(assert (forall ((x Int)) (=> (p x) (p (+ x 1)))))
(assert (forall ((x Int)) (=> (and (p x) (= x (- 1))) false)))
"""


def answer(text: str) -> tuple[HornSystem, Result]:
    system = read_horn_text(f"(set-logic HORN)\n{text}\n(check-sat)\n", "test.smt2")
    return system, Saturation().solve(system, Context.within(60))


@pytest.mark.parametrize(
    "text", [ORDERED.replace("QUERY", "(= x y) (= y z)"), SUMS.replace("WANTED", "5"), "(declare-fun p (Int) Bool)"]
)
def test_models_are_accepted(text: str) -> None:
    system, result = answer(text)
    assert isinstance(result, Safe)
    assert accepted(system, result)


@pytest.mark.parametrize("text", [ORDERED.replace("QUERY", "(bvslt y x)"), SUMS.replace("WANTED", "4")])
def test_derivations_are_accepted(text: str) -> None:
    system, result = answer(text)
    assert isinstance(result, Unsafe)
    assert accepted(system, result)


def test_what_was_left_out_in_a_projection_is_no_violation() -> None:
    _, result = answer(SQUARES.replace("VALUE", "#x05"))
    assert not isinstance(result, Unsafe)
    system, result = answer(SQUARES.replace("VALUE", "#x03"))
    assert isinstance(result, Unsafe)
    assert accepted(system, result)


def test_clauses_that_compute_are_refused_at_once() -> None:
    _, result = answer(COUNTER)
    assert isinstance(result, Unknown)
    assert "clause 1 derives new values" in result.reason


# Distances that are written by sums, in both directions, as in relations between points.
# 0 <= x - y & 0 <= y - x & 0 < z - y => turn(x, y, z);  turn(x, y, z) => turn(y, x, z)
# turn(x, y, z) & x != y => false
DISTANCES = """
(declare-fun turn ((_ BitVec 8) (_ BitVec 8) (_ BitVec 8)) Bool)
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8)))
  (=> (and (bvsle #x00 (bvsub x y)) (bvsle #x00 (bvsub y x)) (bvslt #x00 (bvsub z y))) (turn x y z))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8))) (=> (turn x y z) (turn y x z))))
(assert (forall ((x (_ BitVec 8)) (y (_ BitVec 8)) (z (_ BitVec 8))) (=> (and (turn x y z) (not (= x y))) false)))
"""


def test_facts_have_equations_in_place_of_opposite_inequalities() -> None:
    system, result = answer(DISTANCES)
    assert isinstance(result, Safe)
    assert accepted(system, result)
    (turn,) = system.predicates
    parts = conjuncts(result.model[turn])
    assert len(parts) == 2
    assert any(map(z3.is_eq, parts))


# x <= LIMIT => call(x);  call(n) & n > 1 => call(n - 1);  call(n) & n > 1 & fib(n - 1, a) => call(n - 2)
# n < 1 => fib(n, 0);  fib(1, 1);  call(n) & n > 1 & fib(n - 1, a) & fib(n - 2, b) => fib(n, a + b)
# fib(n, a) & a > MOST => false
FIBONACCI = """
(declare-fun call (Int) Bool)
(declare-fun fib (Int Int) Bool)
(assert (forall ((x Int)) (=> (<= x LIMIT) (call x))))
(assert (forall ((n Int)) (=> (and (call n) (> n 1)) (call (- n 1)))))
(assert (forall ((n Int) (a Int)) (=> (and (call n) (> n 1) (fib (- n 1) a)) (call (- n 2)))))
(assert (forall ((n Int)) (=> (and (call n) (< n 1)) (fib n 0))))
(assert (fib 1 1))
(assert (forall ((n Int) (a Int) (b Int))
  (=> (and (call n) (> n 1) (fib (- n 1) a) (fib (- n 2) b)) (fib n (+ a b)))))
(assert (forall ((n Int) (a Int)) (=> (and (fib n a) (> a MOST)) false)))
"""


@pytest.mark.parametrize(("most", "kind"), [(610, Safe), (609, Unsafe)])
def test_results_of_recursive_calls_below_a_bound(most: int, kind: type[Result]) -> None:
    """fib(15) = 610; a derivation of it has a step for each result, not one for each call."""
    text = FIBONACCI.replace("LIMIT", "15").replace("MOST", str(most))
    system = read_horn_text(f"(set-logic HORN)\n{text}\n(check-sat)\n", "test.smt2")
    result = Tabling().solve(system, Context.within(60))
    assert isinstance(result, kind)
    assert accepted(system, result)
    if isinstance(result, Unsafe):
        assert len(result.derivation.steps) < 50


# call(x) for x <= LIMIT;  call(n) & n > 1 => call(n - 1);  call(n) & n <= 1 => factorial(n, 1);
# call(n) & n > 1 & factorial(n - 1, a) => factorial(n, n * a);  factorial(n, a) & a > MOST => false
FACTORIAL = """
(declare-fun call (Int) Bool)
(declare-fun factorial (Int Int) Bool)
(assert (forall ((x Int)) (=> (<= x LIMIT) (call x))))
(assert (forall ((n Int)) (=> (and (call n) (> n 1)) (call (- n 1)))))
(assert (forall ((n Int)) (=> (and (call n) (<= n 1)) (factorial n 1))))
(assert (forall ((n Int) (a Int))
  (=> (and (call n) (> n 1) (factorial (- n 1) a)) (factorial n (mod (* n a) 4294967296)))))
(assert (forall ((n Int) (a Int)) (=> (and (factorial n a) (> a MOST)) false)))
"""


@pytest.mark.parametrize(("most", "kind"), [(479001600, Safe), (479001599, Unsafe)])
def test_arguments_that_bounds_determine_are_values(most: int, kind: type[Result]) -> None:
    """12! = 479001600: behind n > 1 the fact for n <= 1 gives n = 2 alone, so that no fact has a product."""
    text = FACTORIAL.replace("LIMIT", "12").replace("MOST", str(most))
    system = read_horn_text(f"(set-logic HORN)\n{text}\n(check-sat)\n", "test.smt2")
    result = Tabling().solve(system, Context.within(60))
    assert isinstance(result, kind)
    assert accepted(system, result)
    if isinstance(result, Safe):
        assert not any(
            is_nonlinear(term) for formula in result.model.interpretations.values() for term in subterms(formula)
        )


def test_more_results_than_a_table_has(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solvers.saturation.engine.MAX_TRIED", 30)
    system = read_horn_text(f"(set-logic HORN)\n{COUNTER}\n(check-sat)\n", "test.smt2")
    result = Tabling().solve(system, Context.within(60))
    assert isinstance(result, Unknown)
    assert "facts" in result.reason


def test_saturation_leaves_computed_values_to_tabling() -> None:
    text = FIBONACCI.replace("LIMIT", "15").replace("MOST", "610")
    assert isinstance(answer(text)[1], Unknown)
