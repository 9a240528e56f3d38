"""Models that other solvers print: real output of z3, the formats of Golem and Eldarica, and what is no model."""

from pathlib import Path

import pytest
import z3

import chcverify
from chcverify.certificate.files.certificate_text import model_from_text
from chcverify.errors import InputError
from chcverify.horn.system import Clause, HornSystem, Predicate

FILES = Path(__file__).parent / "printed_models"
MODELS = sorted(FILES.glob("*.model"))
X = z3.Int("x")
P, Q = Predicate("p", (z3.IntSort(),)), Predicate("q q", (z3.IntSort(),))
# x >= 0 => p(x);  p(x) => q q(x);  q q(x) & x < 0 => false
SYSTEM = HornSystem.of(
    [Clause(P(X), (), X >= 0), Clause(Q(X), (P(X),), z3.BoolVal(True)), Clause(None, (Q(X),), X < 0)]
)


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_printed_models_are_accepted_by_both_checkers(path: Path) -> None:
    system = chcverify.load(FILES / f"{path.name.split('.')[0]}.smt2")
    found = chcverify.check(system, model_from_text(system, path.read_text(), path.name), second_check="require")
    assert found.accepted, found.reason
    assert all(verdict.accepted for verdict in found.verdicts) and len(found.verdicts) == 2


@pytest.mark.parametrize("path", MODELS, ids=lambda path: path.name)
def test_weaker_and_stronger_models_are_rejected(path: Path) -> None:
    system = chcverify.load(FILES / f"{path.name.split('.')[0]}.smt2")
    model = model_from_text(system, path.read_text())
    for word in (True, False):
        wrong = model.updated({system.predicates[-1]: z3.BoolVal(word)})
        assert not chcverify.check(system, wrong).accepted


P_TEXT, Q_TEXT = "(define-fun p ((x Int)) Bool (>= x 0))", "(define-fun |q q| ((x Int)) Bool (p x))"
FORMS = {
    "uses a later one": f"{Q_TEXT} (define-fun p ((x Int)) Bool (h x))\n(define-fun h ((y Int)) Bool (>= y 0))",
    "wrapped in model": f"sat\n(model {Q_TEXT} {P_TEXT})",
    "define-fun-rec": "(define-fun-rec p ((x Int)) Bool (<= 0 x)) (define-fun |q q| ((p Int)) Bool (<= 0 p))",
    "let": f"{Q_TEXT} (define-fun p ((|x 1| Int)) Bool (let ((|l 1| (<= -1 |x 1| ))) (and |l 1| (> |x 1| (- 1)))))",
    "quantifier": f"{P_TEXT} (define-fun |q q| ((x Int)) Bool (exists ((y Int)) (and (= (* 1 y) x) (>= y 0))))",
    "after warnings": f"Warning: ignoring get-model\nTheories: none (yet)\nsat\n({P_TEXT}\n{Q_TEXT})",
}


@pytest.mark.parametrize("text", FORMS.values(), ids=FORMS)
def test_forms(text: str) -> None:
    assert chcverify.check(SYSTEM, model_from_text(SYSTEM, text)).accepted


WRONG = {
    "unsat\n": "m:1:1: no model: the solver's answer is unsat",
    "sat\nnonsense": "m:2:1: a model cannot contain 'nonsense' here",
    "(define-fun p ((x Int)) Bool (p x))": "m:1:1: p is recursive: only other definitions can be checked",
    "\n(define-fun p ((x Int)) Bool (h x))\n(define-fun h ((x Int)) Bool (p x))": "m:2:1: h and p are recursive:"
    " only other definitions can be checked",
    "sat\n (define-fun p ((x Bool)) Bool x)": "m:2:2: p takes Int, not Bool",
    "sat\n (define-fun p ((x Int) (y Int)) Bool true)": "m:2:2: p takes 1 arguments, not 2",
    "(define-fun |q q| ((x Int)) Bool (p x))\n(define-fun p ((x Int)) Bool\n  (>= z 0))": "m:3:6: unknown constant z",
    "(define-fun p ((x Int)) Bool true)\n(define-fun p ((x Int)) Bool true)": "m:2:1: p is defined twice",
}


@pytest.mark.parametrize("text", WRONG)
def test_what_is_no_model_is_named_with_its_position(text: str) -> None:
    with pytest.raises(InputError) as raised:
        model_from_text(SYSTEM, text, "m")
    assert str(raised.value) == WRONG[text]


def test_a_predicate_without_definition_is_a_rejection() -> None:
    found = chcverify.check(SYSTEM, model_from_text(SYSTEM, "sat\n(define-fun p ((x Int)) Bool true)"))
    assert not found.accepted and "q q" in found.reason
