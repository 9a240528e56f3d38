"""Models by tree automata: each is checked by the kernel on the clauses."""

import time

import pytest

from chcverify.certificate.kernel.policy import certify
from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown
from solvers.engine import Context
from solvers.finite_models.engine import FiniteModels

NUMBERS = "(declare-datatypes ((N 0)) (((zero) (succ (pred N)))))"
TREES = "(declare-datatypes ((T 0)) (((leaf) (node (left T) (label Int) (right T)))))"

PARITY = f"""{NUMBERS}
(declare-fun even (N) Bool)
(assert (even zero))
(assert (forall ((x N)) (=> (even x) (even (succ (succ x))))))
(assert (forall ((x N)) (=> (and (even x) (even (succ x))) false)))
"""

FLAGS = f"""{NUMBERS}
(declare-fun odd (N Bool) Bool)
(assert (odd zero false))
(assert (forall ((x N) (b Bool)) (=> (odd x b) (odd (succ x) (not b)))))
(assert (forall ((x N)) (=> (odd (succ (succ x)) true) (odd x true))))
(assert (=> (odd (succ (succ zero)) true) false))
"""

# Trees with a leaf on each left side, and a number that counts nodes, which the automaton ignores.
COMB = f"""{TREES}
(declare-fun comb (T Int) Bool)
(assert (comb leaf 0))
(assert (forall ((t T) (n Int) (m Int)) (=> (comb t n) (comb (node leaf m t) (+ n 1)))))
(assert (forall ((s T) (t T) (n Int) (m Int) (k Int) (r T)) (=> (comb (node (node s m t) k r) n) false)))
"""


def answer(text: str) -> tuple[HornSystem, Result]:
    system = read_horn_text(f"(set-logic HORN)\n{text}\n(check-sat)\n", "test.smt2")
    return system, FiniteModels().solve(system, Context.within(60))


@pytest.mark.parametrize("text", [PARITY, COMB, FLAGS.replace("(not b)", "false")])
def test_models_are_accepted(text: str) -> None:
    pytest.importorskip("cvc5")
    system, result = answer(text)
    assert isinstance(result, Safe)
    assert result.model.folds
    assert certify(system, result.model, time.monotonic() + 60).accepted


def test_without_a_finite_model() -> None:
    """Unsafe clauses have no model at all."""
    pytest.importorskip("cvc5")
    _, result = answer(PARITY.replace("(even (succ x))) false", "(even (succ (succ x)))) false"))
    assert isinstance(result, Unknown)
    assert "no finite model" in result.reason


def test_systems_without_datatypes() -> None:
    _, result = answer("(declare-fun p (Int) Bool) (assert (p 0))")
    assert isinstance(result, Unknown)
    assert "no datatypes" in result.reason
