"""The engine `cell-goals` on array programs whose cells are related by functions that no domain expresses."""

import pytest
from invariant_loops import proves

from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import HornSystem
from chcverify.results.result import Unknown
from chcverify.transforms.abstractions.cell_morphing import CellMorphing
from chcverify.transforms.exact.normalisation import Normalise
from solvers.engine import Context
from solvers.invariants.cell_goals_engine import CellGoals
from solvers.registry import get

# 0 <= n => P(n, 0, a, b)                                  the loop that writes b[{write}] = f(a[{write}])
# P(n, i, a, b) & i < n => P(n, i + 1, a, b with b[{write}] = {value})
# P(n, i, a, b) & i >= n => Q(n, 0, a, b)                  the loop that reads
# Q(n, i, a, b) & i < {end} => Q(n, i + 1, a, b)
# Q(n, i, a, b) & i < {end} & b[i] != f(a[i]) => false
TWO_LOOPS = """
(set-logic HORN)
(declare-fun P (Int Int (Array Int Int) (Array Int Int)) Bool)
(declare-fun Q (Int Int (Array Int Int) (Array Int Int)) Bool)
(assert (forall ((n Int) (a (Array Int Int)) (b (Array Int Int))) (=> (<= 0 n) (P n 0 a b))))
(assert (forall ((n Int) (i Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (P n i a b) (< i n)) (P n (+ i 1) a {stores}))))
(assert (forall ((n Int) (i Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (P n i a b) (>= i n)) (Q n 0 a b))))
(assert (forall ((n Int) (i Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (Q n i a b) (< i {end})) (Q n (+ i 1) a b))))
(assert (forall ((n Int) (i Int) (a (Array Int Int)) (b (Array Int Int)))
  (=> (and (Q n i a b) (< i {end}) (not (= (select b i) {goal}))) false)))
(check-sat)
"""
_A = "(select a {0})"
_WRAPPED = "(ite (<= {0} 100) {0} (- {0} 256))"


def two_loops(stores: str, goal: str, end: str = "n") -> HornSystem:
    """The system with cells for its arrays."""
    text = TWO_LOOPS.format(stores=stores, goal=goal, end=end)
    system, _ = Normalise().apply(read_horn_text(text, "two-loops.smt2"))
    return CellMorphing().apply(system)[0]


def wrapped(index: str) -> str:
    """A value that wraps around, of the cell of `a` at the index."""
    return _WRAPPED.format(f"(* 3 {_A.format(index)})")


SAFE = {
    "ascending": two_loops(f"(store b i {wrapped('i')})", wrapped("i")),
    "descending": two_loops(f"(store b (- n (+ i 1)) {wrapped('(- n (+ i 1))')})", wrapped("i")),
    "two halves": two_loops(
        f"(store (store b (- (* 2 n) (+ i 1)) {wrapped('(- (* 2 n) (+ i 1))')}) i {wrapped('i')})",
        wrapped("i"),
        "(* 2 n)",
    ),
}


@pytest.mark.parametrize("name", SAFE)
def test_proves(name: str) -> None:
    assert proves(SAFE[name], CellGoals().solve(SAFE[name], Context.within(600)))


# true => P(0, 0, x, p, a)                                 a search for x that keeps its place in p
# P(0, i, x, p, a) & i < 100 & a[i] = x => P(1, i + 1, x, i, a)
# P(0, i, x, p, a) & i < 100 & a[i] != x => P(0, i + 1, x, p, a)
# P(f, i, x, p, a) & f != 0 => Q(f, 0, x, p, a)
# Q(f, i, x, p, a) & i < p => Q(f, i + 1, x, p, a)
# Q(f, i, x, p, a) & i < p + {beyond} & a[i] = x => false      no cell before the place is x
SEARCH = """
(set-logic HORN)
(declare-fun P (Int Int Int Int (Array Int Int)) Bool)
(declare-fun Q (Int Int Int Int (Array Int Int)) Bool)
(assert (forall ((x Int) (p Int) (a (Array Int Int))) (P 0 0 x p a)))
(assert (forall ((i Int) (x Int) (p Int) (a (Array Int Int)))
  (=> (and (P 0 i x p a) (< i 100) (= (select a i) x)) (P 1 (+ i 1) x i a))))
(assert (forall ((i Int) (x Int) (p Int) (a (Array Int Int)))
  (=> (and (P 0 i x p a) (< i 100) (not (= (select a i) x))) (P 0 (+ i 1) x p a))))
(assert (forall ((f Int) (i Int) (x Int) (p Int) (a (Array Int Int)))
  (=> (and (P f i x p a) (not (= f 0))) (Q f 0 x p a))))
(assert (forall ((f Int) (i Int) (x Int) (p Int) (a (Array Int Int)))
  (=> (and (Q f i x p a) (< i p)) (Q f (+ i 1) x p a))))
(assert (forall ((f Int) (i Int) (x Int) (p Int) (a (Array Int Int)))
  (=> (and (Q f i x p a) (< i (+ p {beyond})) (= (select a i) x)) false)))
(check-sat)
"""


def search(beyond: int) -> HornSystem:
    """The system with cells for its array; unsafe where cells up to the place are demanded to differ."""
    text = SEARCH.format(beyond=beyond)
    system, _ = Normalise().apply(read_horn_text(text, "search.smt2"))
    return CellMorphing().apply(system)[0]


def test_proves_what_relates_cells_to_a_number_in_a_state() -> None:
    assert proves(search(0), CellGoals().solve(search(0), Context.within(600)))


def test_a_number_that_one_cell_has_is_never_called_safe() -> None:
    assert isinstance(CellGoals().solve(search(1), Context.within(10)), Unknown)


UNSAFE = {
    "one cell too many": two_loops(f"(store b i {wrapped('i')})", wrapped("i"), "(+ n 1)"),
    "another function": two_loops(f"(store b i {wrapped('i')})", _A.format("i")),
    "every second cell": two_loops(f"(store b (* 2 i) {wrapped('(* 2 i)')})", wrapped("i")),
}


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_is_never_called_safe(name: str) -> None:
    assert isinstance(CellGoals().solve(UNSAFE[name], Context.within(10)), Unknown)


def test_gives_up_where_there_are_no_goals_and_segments_do_not_help() -> None:
    result = CellGoals().solve(two_loops("b", "i"), Context.within(600))
    assert isinstance(result, Unknown)


def test_the_name_of_the_engine() -> None:
    assert isinstance(get("cell-goals"), CellGoals)
