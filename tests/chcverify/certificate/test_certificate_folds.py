"""Models with functions by structural recursion over datatypes: what is accepted, and what is refused."""

import time
from pathlib import Path

import pytest
import z3

from chcverify.certificate.files.certificate_text import model_from_text, model_to_text
from chcverify.certificate.kernel.certificate_obligations import model_obligations
from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Definition, Fold, Model
from chcverify.errors import InputError
from chcverify.horn.system import Clause, HornSystem, Predicate
from tests.chcverify.certificate.stand_alone_checker import check_alone, stand_alone_checker

INT = z3.IntSort()


def _lists() -> z3.DatatypeSortRef:
    declared = z3.Datatype("IntList")
    declared.declare("nil")
    declared.declare("cons", ("head", INT), ("tail", declared))
    return declared.create()


LIST = _lists()
x, y, t = z3.Consts("x y t", LIST)
h, n = z3.Ints("h n")
LENGTH, TWICE = Predicate("Length", (LIST, INT)), Predicate("Twice", (LIST, LIST))


def fold(name: str, cases: tuple[z3.ExprRef, ...], *parameters: z3.ExprRef) -> Fold:
    function = z3.Function(name, *(p.sort() for p in parameters), LIST, INT)
    return Fold(function, (*parameters, x), cases)


def size(name: str = "size", step: int = 1) -> Fold:
    function = z3.Function(name, LIST, INT)
    return Fold(function, (x,), (z3.IntVal(0), step + function(LIST.tail(x))))


def system(wrong: int = 0) -> HornSystem:
    """Every list that doubles each element of another one is twice as long."""
    return HornSystem.of(
        [
            # true => Twice(nil, nil)
            Clause(TWICE(LIST.nil, LIST.nil), (), z3.BoolVal(True)),
            # Twice(x, y) => Twice(cons(h, x), cons(h, cons(h, y)))
            Clause(TWICE(LIST.cons(h, x), LIST.cons(h, LIST.cons(h, y))), (TWICE(x, y),), z3.BoolVal(True)),
            # true => Length(nil, 0)
            Clause(LENGTH(LIST.nil, z3.IntVal(0)), (), z3.BoolVal(True)),
            # Length(t, n) & x = cons(h, t) => Length(x, n + 1)
            Clause(LENGTH(x, n + 1), (LENGTH(t, n),), x == LIST.cons(h, t)),
            # Twice(x, y) & Length(x, n) & Length(y, h) & h != 2 * n + wrong => false
            Clause(None, (TWICE(x, y), LENGTH(x, n), LENGTH(y, h)), h != 2 * n + wrong),
        ]
    )


def model(item: Fold | None = None) -> Model:
    item = item or size()
    of = item.function
    (a, b), (c, d) = TWICE.formals, LENGTH.formals
    return Model({TWICE: of(b) == 2 * of(a), LENGTH: of(c) == d}, folds=(item,))


def accepted(clauses: HornSystem, certificate: Model) -> bool:
    return certify(clauses, certificate, time.monotonic() + 30).accepted


@pytest.fixture(scope="module")
def alone():
    """The stand-alone checker on two texts: its exit status and its line."""
    return stand_alone_checker()


def test_a_length_is_accepted(alone, tmp_path: Path) -> None:
    assert accepted(system(), model())
    text = model_to_text(system(), model())
    again = model_from_text(system(), text)
    assert [item.name for item in again.folds] == ["size"]
    assert accepted(system(), again)
    assert check_alone(alone, tmp_path, text, system()) == 0


@pytest.mark.parametrize(("clauses", "certificate"), [(system(1), model()), (system(), model(size(step=2)))])
def test_wrong_ones_are_not(clauses: HornSystem, certificate: Model, alone, tmp_path: Path) -> None:
    assert not accepted(clauses, certificate)
    assert check_alone(alone, tmp_path, model_to_text(clauses, certificate), clauses) == 1


def test_parameters(alone, tmp_path: Path) -> None:
    """Reversing the order of two elements changes no number of occurrences: for all elements."""
    p = z3.Int("p")
    function = z3.Function("count", INT, LIST, INT)
    count = Fold(function, (p, x), (z3.IntVal(0), z3.If(LIST.head(x) == p, 1, 0) + function(p, LIST.tail(x))))
    same = Predicate("Same", (LIST, LIST))
    clauses = HornSystem.of(
        [
            # true => Same(x, x)
            Clause(same(x, x), (), z3.BoolVal(True)),
            # Same(x, y) => Same(cons(h, cons(n, x)), cons(n, cons(h, y)))
            Clause(same(LIST.cons(h, LIST.cons(n, x)), LIST.cons(n, LIST.cons(h, y))), (same(x, y),), z3.BoolVal(True)),
            # Same(cons(h, nil), nil) => false
            Clause(None, (same(LIST.cons(h, LIST.nil), LIST.nil),), z3.BoolVal(True)),
        ]
    )
    a, b = same.formals
    certificate = Model({same: z3.ForAll([p], function(p, a) == function(p, b))}, folds=(count,))
    assert accepted(clauses, certificate)
    text = model_to_text(clauses, certificate)
    assert accepted(clauses, model_from_text(clauses, text))
    assert check_alone(alone, tmp_path, text, clauses) == 0
    # Only some element occurs as often in both.
    weak = Model({same: z3.Exists([p], function(p, a) == function(p, b))}, folds=(count,))
    assert not accepted(clauses, weak)


OTHER = z3.Function("other", LIST, INT)
SELF = z3.Function("self", LIST, INT)
ZERO = z3.IntVal(0)
WITH_PARAMETER = z3.Function("self", INT, LIST, INT)


@pytest.mark.parametrize(
    ("item", "reason"),
    [
        (Fold(SELF, (x,), (SELF(LIST.tail(x)), ZERO)), "as a whole"),  # tail(nil) is any list
        (Fold(SELF, (x,), (ZERO, 1 + SELF(x))), "structurally recursive|as a whole"),
        (Fold(SELF, (x,), (ZERO, 1 + SELF(LIST.cons(ZERO, LIST.tail(x))))), "structurally recursive"),
        (Fold(SELF, (x,), (ZERO, 1 + OTHER(LIST.tail(x)))), "uses other"),
        (Fold(SELF, (x,), (ZERO, h)), "uses h"),
        (Fold(SELF, (x,), (ZERO, z3.If(x == LIST.nil, 1, 0))), "as a whole"),
        (Fold(SELF, (x,), (LIST.head(x), ZERO)), "as a whole"),
        (Fold(SELF, (x,), (ZERO,)), "one case for each"),
        (Fold(SELF, (x,), (ZERO, z3.If(z3.ForAll([h], h > LIST.head(x)), 1, 0))), "quantifier"),
        (Fold(SELF, (x,), (ZERO, LIST.tail(x))), "another sort"),
        (Fold(SELF, (LIST.nil,), (ZERO, ZERO)), "no variables"),
        (Fold(WITH_PARAMETER, (h, x), (ZERO, WITH_PARAMETER(h + 1, LIST.tail(x)))), "changes a parameter"),
        (Fold(WITH_PARAMETER, (h, h), (ZERO, ZERO)), "twice"),
        (Fold(TWICE.function, (x, y), (z3.BoolVal(True), z3.BoolVal(True))), "predicate of the clauses"),
        (Fold(z3.Function("b", LIST, z3.BoolSort()), (x,), (z3.BoolVal(True), z3.BoolVal(True))), "numbers"),
    ],
)
def test_what_is_no_fold_is_refused(item: Fold, reason: str) -> None:
    with pytest.raises(MalformedCertificate, match=reason):
        model_obligations(system(), Model(model().interpretations, folds=(item, size())))


def test_undefined_ones_are_refused() -> None:
    with pytest.raises(MalformedCertificate, match="other free symbols"):
        model_obligations(system(), Model(model().interpretations))
    with pytest.raises(MalformedCertificate, match="same name"):
        model_obligations(system(), Model(model().interpretations, folds=(size(), size())))


def test_definitions_and_folds_do_not_mix() -> None:
    holds = Definition(Predicate("holds", (LIST,)), z3.BoolVal(True))
    with pytest.raises(MalformedCertificate, match="definitions and folds"):
        model_obligations(system(), Model(model().interpretations, (holds,), (size(),)))


@pytest.mark.parametrize(
    "body",
    [
        "(ite ((_ is nil) x) (self (tail x)) 0)",
        "(ite ((_ is nil) x) 0 (+ 1 (self x)))",
        "(ite ((_ is cons) x) (+ 1 (self (tail x))) 0)",
        "(+ 1 (self (tail x)))",
        "(ite ((_ is nil) x) 0 (+ 1 (self (cons 1 (tail x)))))",
        "(ite ((_ is nil) x) 0 (ite (= x nil) 1 2))",
        "(ite ((_ is nil) x) 0 (ite (forall ((i Int)) (> i 0)) 1 2))",
        "(ite ((_ is nil) x) (head x) 0)",
    ],
)
def test_the_stand_alone_checker_refuses_what_is_no_fold(body: str, alone, tmp_path: Path) -> None:
    text = f"(define-fun-rec self ((x IntList)) Int {body})" + model_to_text(system(), model())[1:-2].lstrip()
    assert check_alone(alone, tmp_path, text, system()) == 1


def test_the_stand_alone_checker_refuses_names_in_use(alone, tmp_path: Path) -> None:
    text = model_to_text(system(), model()).replace("size", "tail")
    assert check_alone(alone, tmp_path, text, system()) == 1


def test_texts_of_other_functions() -> None:
    text = model_to_text(system(), model()).replace("((_ is nil) c0)", "((_ is cons) c0)")
    with pytest.raises(InputError, match="a case for each constructor"):
        model_from_text(system(), text)
