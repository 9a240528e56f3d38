"""Models with sums over the cells of arrays: what is accepted, and what is refused."""

import random
import time
from pathlib import Path

import pytest
import z3

from chcverify.certificate.files.certificate_text import model_from_text, model_to_text
from chcverify.certificate.kernel.certificate_obligations import model_obligations
from chcverify.certificate.kernel.obligation import MalformedCertificate
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.kernel.recursion.cell_sums import cell_sum_equations
from chcverify.certificate.kernel.recursion.folds import Folds
from chcverify.certificate.model import CellSum, Model
from chcverify.errors import InputError
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import substitute, subterms
from tests.chcverify.certificate.stand_alone_checker import check_alone, stand_alone_checker

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
a, b = z3.Consts("a b", ARRAY)
cell, place, i, j, n, s, t, p = z3.Ints("cell place i j n s t p")
FORWARDS, SWAPPED, BACKWARDS = (
    Predicate("forwards", (ARRAY, INT, INT, INT)),
    Predicate("swapped", (ARRAY, INT, INT)),
    Predicate("backwards", (ARRAY, INT, INT, INT)),
)


def total(summand: z3.ArithRef = cell, name: str = "total", *parameters: z3.ExprRef) -> CellSum:
    function = z3.Function(name, *(parameter.sort() for parameter in parameters), ARRAY, INT, INT)
    return CellSum(function, (*parameters, a, i), cell, place, summand)


def system(wrong: int = 0) -> HornSystem:
    """The sum forwards is that backwards after two cells were swapped."""
    swapped = z3.Store(z3.Store(a, 0, a[1]), 1, a[0] + wrong)
    return HornSystem.of(
        [
            # n >= 2 => forwards(a, n, 0, 0)
            Clause(FORWARDS(a, n, z3.IntVal(0), z3.IntVal(0)), (), n >= 2),
            # forwards(a, n, i, s) & i < n => forwards(a, n, i + 1, s + a[i])
            Clause(FORWARDS(a, n, i + 1, s + a[i]), (FORWARDS(a, n, i, s),), i < n),
            # forwards(a, n, i, s) & i >= n & b = a[0 := a[1], 1 := a[0]] => swapped(b, n, s)
            Clause(SWAPPED(b, n, s), (FORWARDS(a, n, i, s),), z3.And(i >= n, b == swapped)),
            # swapped(a, n, s) => backwards(a, n, s, 0)
            Clause(BACKWARDS(a, n, s, z3.IntVal(0)), (SWAPPED(a, n, s),), z3.BoolVal(True)),
            # backwards(a, i, s, t) & i > 0 => backwards(a, i - 1, s, t + a[i - 1])
            Clause(BACKWARDS(a, i - 1, s, t + a[i - 1]), (BACKWARDS(a, i, s, t),), i > 0),
            # backwards(a, i, s, t) & i <= 0 & s != t => false
            Clause(None, (BACKWARDS(a, i, s, t),), z3.And(i <= 0, s != t)),
        ]
    )


def model(item: CellSum | None = None) -> Model:
    item = item or total()
    of = item.function
    a1, n1, i1, s1 = FORWARDS.formals
    a2, n2, s2 = SWAPPED.formals
    a3, i3, s3, t3 = BACKWARDS.formals
    return Model(
        {
            FORWARDS: z3.And(i1 >= 0, i1 <= n1, n1 >= 2, s1 == of(a1, i1)),
            SWAPPED: s2 == of(a2, n2),
            BACKWARDS: s3 - t3 == of(a3, i3),
        },
        folds=(item,),
    )


def accepted(clauses: HornSystem, certificate: Model) -> bool:
    return certify(clauses, certificate, time.monotonic() + 30).accepted


@pytest.fixture(scope="module")
def alone():
    """The stand-alone checker on two texts: its exit status."""
    return stand_alone_checker()


def test_a_sum_is_accepted(alone, tmp_path: Path) -> None:
    assert accepted(system(), model())
    text = model_to_text(system(), model())
    again = model_from_text(system(), text)
    assert [item.name for item in again.folds] == ["total"]
    assert model_to_text(system(), again) == text
    assert accepted(system(), again)
    assert check_alone(alone, tmp_path, text, system()) == 0


@pytest.mark.parametrize(("clauses", "certificate"), [(system(1), model()), (system(), model(total(cell + 1)))])
def test_wrong_ones_are_not(clauses: HornSystem, certificate: Model, alone, tmp_path: Path) -> None:
    assert not accepted(clauses, certificate)
    assert check_alone(alone, tmp_path, model_to_text(clauses, certificate), clauses) == 1


def test_a_constant_array_and_a_parameter(alone, tmp_path: Path) -> None:
    """How often p occurs in an array whose cells are all p, before the cell 3 is changed and after it."""
    count = total(z3.If(cell == p, z3.IntVal(1), z3.IntVal(0)), "count", p)
    filled = Predicate("filled", (ARRAY, INT))
    zeros = z3.K(INT, z3.IntVal(0))
    clauses = HornSystem.of(
        [
            # true => filled(a[3 := 1], 0) for the array a of zeros
            Clause(filled(z3.Store(zeros, 3, 1), z3.IntVal(0)), (), z3.BoolVal(True)),
            # filled(a, p) => false, if a number occurs there less often than nine times: no model says so
            Clause(None, (filled(a, p),), p != 0),
        ]
    )
    array, number = filled.formals
    for occurrences, is_right in ((9, True), (10, False)):
        formula = z3.And(number == 0, count.function(number, array, 10) == occurrences)
        certificate = Model({filled: formula}, folds=(count,))
        assert accepted(clauses, certificate) == is_right
        assert check_alone(alone, tmp_path, model_to_text(clauses, certificate), clauses) == (0 if is_right else 1)


@pytest.mark.parametrize("summand", [cell, cell * 2 + place, z3.If(cell % 2 == 0, cell, 0 * cell), z3.IntVal(3)])
def test_instances_hold_of_the_sum(summand: z3.ArithRef) -> None:
    """Each equation, evaluated with arrays of small numbers: the sum is what a loop computes."""
    item = total(summand)
    chooser = random.Random(7)
    base = z3.K(INT, z3.IntVal(2))
    for _ in range(20):
        array: z3.ArrayRef = base
        for _ in range(chooser.randrange(4)):
            array = z3.Store(array, chooser.randrange(-1, 5), chooser.randrange(-3, 4))
        use = item.function(array, z3.IntVal(chooser.randrange(-2, 6)))
        equations = cell_sum_equations(item, list(subterms(use)))
        assert equations
        for equation in equations:
            assert z3.is_true(_evaluated(item, equation)), equation


def _evaluated(item: CellSum, formula: z3.BoolRef) -> z3.BoolRef:
    """Each application of the sum becomes its value, by a loop."""
    pairs = []
    for term in subterms(formula):
        if z3.is_app(term) and term.decl().eq(item.function):
            array, bound = term.children()
            end = z3.simplify(bound).as_long()
            cells = [(z3.simplify(array[k]), z3.IntVal(k)) for k in range(max(end, 0))]
            values = [substitute(item.summand, [(cell, v), (place, k)]) for v, k in cells]
            pairs.append((term, z3.simplify(z3.Sum([z3.IntVal(0), *values]))))
    return z3.simplify(substitute(formula, pairs))


@pytest.mark.parametrize(
    "item",
    [
        total(cell + n),
        total(z3.Function("total", ARRAY, INT, INT)(a, i)),
        total(cell + i),
        total(a[place]),
        CellSum(z3.Function("f", ARRAY, INT, z3.RealSort()), (a, i), cell, place, cell),
        CellSum(z3.Function("f", INT, ARRAY, INT), (i, a), cell, place, cell),
        CellSum(z3.Function("f", ARRAY, INT, INT), (a, i), cell, cell, cell),
        CellSum(z3.Function("f", ARRAY, INT, INT), (a, i), cell, place, z3.ToReal(cell)),
        CellSum(z3.Function("f", ARRAY, INT, INT, INT), (a, i), cell, place, cell),
    ],
)
def test_other_definitions_are_refused(item: CellSum) -> None:
    with pytest.raises(MalformedCertificate):
        Folds((item,))
    with pytest.raises(MalformedCertificate):
        model_obligations(system(), Model(model().interpretations, folds=(item,)))


@pytest.mark.parametrize(
    "body",
    [
        "(ite (<= i 0) 0 (+ (f a (- i 1)) (select a i)))",
        "(ite (<= i 0) 1 (+ (f a (- i 1)) (select a (- i 1))))",
        "(ite (<= i 1) 0 (+ (f a (- i 1)) (select a (- i 1))))",
        "(ite (<= i 0) 0 (+ (f a (+ i 1)) (select a (- i 1))))",
        "(ite (<= i 0) 0 (+ (f a (- i 1)) (f a (- i 2))))",
        "(ite (<= i 0) 0 (- (f a (- i 1)) (select a (- i 1))))",
        "(+ 1 (f a (- i 1)))",
        "(ite (<= i 0) 0 (+ (f (store a 0 1) (- i 1)) (select a (- i 1))))",
    ],
)
def test_other_texts_are_refused(body: str, alone, tmp_path: Path) -> None:
    text = model_to_text(system(), model())
    line = next(line for line in text.splitlines() if "define-fun-rec" in line)
    changed = text.replace(
        line, f"(define-fun-rec total ((a (Array Int Int)) (i Int)) Int {body.replace('f ', 'total ')})"
    )
    try:
        read = model_from_text(system(), changed)
        assert not accepted(system(), read)
    except (InputError, MalformedCertificate):
        pass
    assert check_alone(alone, tmp_path, changed, system()) != 0
