"""Unary numbers as integers, and closed forms of recursion over integers: against iteration, and by the kernel."""

import time

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Result, Safe, Unsafe
from chcverify.terms.core.traversal import conjunction
from chcverify.transforms.base import Identity, TranslationError
from chcverify.transforms.exact.recursion.closed_forms import ClosedForms
from chcverify.transforms.exact.recursion.unary_numbers import UnaryNumbers
from solvers.engine import Context
from solvers.registry import get

from .law import assert_derivation, assert_model

NUMBERS = "(declare-datatypes ((N 0)) (((zero) (succ (pred N)))))"
LISTS = f"{NUMBERS} (declare-datatypes ((L 0)) (((nil) (cons (head N) (tail L)))))"

ADD = f"""{NUMBERS}
(declare-fun add (N N N) Bool)
(assert (forall ((y N)) (add zero y y)))
(assert (forall ((x N) (y N) (z N)) (=> (add x y z) (add (succ x) y (succ z)))))
"""
COMMUTES = f"""{ADD}
(declare-fun less (N N) Bool)
(assert (forall ((x N)) (less zero (succ x))))
(assert (forall ((x N) (y N)) (=> (less x y) (less (succ x) (succ y)))))
(assert (forall ((x N) (y N) (u N) (v N)) (=> (and (add x y u) (add y x v) (less u v)) false)))
"""
MEMBER = f"""{LISTS}
(declare-fun same (N N Bool) Bool) (declare-fun or2 (Bool Bool Bool) Bool)
(declare-fun member (N L Bool) Bool) (declare-fun swap (L L) Bool)
(assert (same zero zero true))
(assert (forall ((x N)) (same zero (succ x) false)))
(assert (forall ((x N)) (same (succ x) zero false)))
(assert (forall ((x N) (y N) (r Bool)) (=> (same x y r) (same (succ x) (succ y) r))))
(assert (forall ((x Bool)) (or2 true x true)))
(assert (forall ((x Bool)) (or2 false x x)))
(assert (forall ((a N)) (member a nil false)))
(assert (forall ((a N) (b N) (x L) (p Bool) (q Bool) (r Bool))
  (=> (and (same a b p) (member a x q) (or2 p q r)) (member a (cons b x) r))))
(assert (forall ((x L)) (swap x x)))
(assert (forall ((a N) (b N) (x L) (y L)) (=> (swap x y) (swap (cons a (cons b x)) (cons b (cons a y))))))
(assert (forall ((a N) (x L) (y L)) (=> (and (swap x y) (member a x true) (member a y VALUE)) false)))
"""


def system_of(text: str) -> HornSystem:
    return read_horn_text(f"(set-logic HORN)\n{text}\n(check-sat)\n", "test.smt2")


def decided(text: str, form: str) -> tuple[HornSystem, Result]:
    """The system and Spacer's answer for one of its forms, carried back."""
    system = system_of(text)
    found = SystemVariants(time.monotonic() + 60).table()[form](system)  # type: ignore[index]
    assert found is not None
    changed, back, _ = found
    result = get("spacer-global").solve(changed, Context.within(60))
    if isinstance(result, Safe):
        return system, Safe(back.model(result.model))
    assert isinstance(result, Unsafe), result
    return system, Unsafe(back.derivation(result.derivation))


@pytest.mark.parametrize(
    ("text", "form", "expected"),
    [
        (COMMUTES, "numbers", Safe),
        (COMMUTES, "sizes", Safe),
        (COMMUTES.replace("(less u v)", "(less u (succ v)) (less (succ (succ x)) y)"), "numbers", Unsafe),
        (MEMBER.replace("VALUE", "false"), "folds", Safe),
        (MEMBER.replace("VALUE", "true"), "folds", Unsafe),
        (MEMBER.replace("VALUE", "true"), "numbers", Unsafe),
    ],
)
def test_certificates_come_back(text: str, form: str, expected: type) -> None:
    system, result = decided(text, form)
    assert isinstance(result, expected)
    assert isinstance(result, Safe | Unsafe)
    certificate = result.model if isinstance(result, Safe) else result.derivation
    assert certify(system, certificate, time.monotonic() + 60).accepted


VALUES = range(-12, 13)
numbers = st.integers(-4, 4)


@st.composite
def recursions(draw: st.DrawFn) -> HornSystem:
    """A predicate of two integers and a truth value with two facts and a step that adds constants under a guard."""
    predicate = Predicate("p", (z3.IntSort(), z3.IntSort(), z3.BoolSort()))
    x, y, b = z3.Int("x"), z3.Int("y"), z3.Bool("b")
    clauses = []
    for _ in range(draw(st.integers(1, 2))):
        low, width = draw(numbers), draw(st.integers(0, 3))
        value = z3.BoolVal(draw(st.booleans())) if draw(st.booleans()) else b
        second = draw(st.sampled_from([x, y, z3.IntVal(draw(numbers))]))
        constraint = z3.And(low <= x, x <= low + width, y >= -2, y <= 3)
        clauses.append(Clause(Application(predicate, (x, second, value)), (), constraint))
    step = (draw(st.integers(-2, 2)), draw(st.integers(-2, 2)))
    guards: list[z3.BoolRef] = []
    if draw(st.booleans()):
        guards.append(x + draw(st.integers(-1, 1)) * y <= draw(numbers))
    if draw(st.booleans()):
        guards.append(x >= draw(numbers))
    if draw(st.booleans()):
        guards.append(z3.Not(b))
    head = Application(predicate, (x + step[0], y + step[1], b))
    clauses.append(Clause(head, (Application(predicate, (x, y, b)),), conjunction(guards)))
    return HornSystem.of(clauses)


def facts(system: HornSystem) -> set[tuple[int, int, bool]]:
    """What the clauses derive, for values not far beyond those that are compared."""
    *bases, recursive = system.clauses
    assert recursive.head is not None
    found = set()
    for base in bases:
        assert base.head is not None
        solver = z3.Solver()
        formals = base.head.predicate.formals
        solver.add(base.constraint, *(f == a for f, a in zip(formals, base.head.arguments, strict=True)))
        while solver.check() == z3.sat:
            values = [solver.model().eval(formal, model_completion=True) for formal in formals]
            found.add((values[0].as_long(), values[1].as_long(), z3.is_true(values[2])))
            solver.add(z3.Or([f != v for f, v in zip(formals, values, strict=True)]))
    variables = recursive.body[0].arguments
    waiting = list(found)
    while waiting:
        point = waiting.pop()
        pairs = [
            (v, z3.BoolVal(c) if isinstance(c, bool) else z3.IntVal(c)) for v, c in zip(variables, point, strict=True)
        ]
        if not z3.is_true(z3.simplify(z3.substitute(recursive.constraint, *pairs))):
            continue
        first, second, flag = (z3.simplify(z3.substitute(a, *pairs)) for a in recursive.head.arguments)
        new = first.as_long(), second.as_long(), z3.is_true(flag)
        if new not in found and max(abs(new[0]), abs(new[1])) <= 4 * max(VALUES):
            found.add(new)
            waiting.append(new)
    return found


@settings(max_examples=25, deadline=None)
@given(recursions(), st.integers(0, 1000))
def test_a_closed_form_is_what_iteration_derives(system: HornSystem, choice: int) -> None:
    changed, back = ClosedForms().apply(system)
    if isinstance(back, Identity):
        return
    assert all(clause.is_fact for clause in changed.clauses)
    (predicate,) = system.predicates
    model = back.model(Model({predicate: z3.BoolVal(True)}))
    assert_model(system, model)
    expected = facts(system)
    for x in VALUES:
        for y in VALUES:
            for flag in (False, True):
                values = z3.IntVal(x), z3.IntVal(y), z3.BoolVal(flag)
                holds = z3.simplify(model.instantiate(Application(predicate, values)))
                assert z3.is_true(holds) == ((x, y, flag) in expected), (x, y, flag)
    if expected:
        point = sorted(expected)[choice % len(expected)]
        check_derivation(system, point)


def check_derivation(system: HornSystem, point: tuple[int, int, bool]) -> None:
    """A derivation of the point from the closed form comes back as one by steps."""
    (predicate,) = system.predicates
    values = z3.IntVal(point[0]), z3.IntVal(point[1]), z3.BoolVal(point[2])
    query = Clause(None, (Application(predicate, values),), z3.BoolVal(True))
    asked = HornSystem(system.predicates, (*system.clauses, query))
    changed, back = ClosedForms().apply(asked)
    for index, clause in enumerate(changed.clauses[:-1]):
        solver = z3.Solver()
        solver.add(clause.constraint, *(f == v for f, v in zip(predicate.formals, values, strict=True)))
        if solver.check() == z3.sat:
            steps = (Step(index, values, ()), Step(len(changed.clauses) - 1, (), (0,)))
            assert_derivation(asked, back.derivation(Derivation(steps)))
            return
    raise AssertionError(f"{point} is derived, but not by the closed form")


@pytest.mark.parametrize(
    "guard",
    ["(not (= x 3))", "(or (< x 3) (> x 5))", "(= 0 (mod x 2))", "(= b (< x 3))"],
    ids=["hole", "or", "mod", "flag"],
)
def test_guards_that_are_not_convex_stay(guard: str) -> None:
    text = f"""(declare-fun p (Int Bool) Bool)
    (assert (forall ((b Bool)) (p 0 b)))
    (assert (forall ((x Int) (b Bool)) (=> (and (p x b) {guard}) (p (+ x 1) b))))
    (assert (forall ((x Int) (b Bool)) (=> (and (p x b) (> x 7)) false)))
    """
    system = system_of(text)
    assert ClosedForms().apply(system)[0] is system


def test_numbers_in_lists_become_integers() -> None:
    system = system_of(MEMBER.replace("VALUE", "false"))
    changed, back = UnaryNumbers().apply(system)
    assert [sort.name() for sort in changed.by_name["member"].sorts] == ["Int", "L_1", "Bool"]
    new = changed.by_name["swap"].sorts[0]
    values = new.constructor(1)(z3.IntVal(2), new.constructor(1)(z3.IntVal(-1), new.constructor(0)()))
    index = changed.defining[changed.by_name["swap"]][0]
    derivation = back.derivation(Derivation((Step(index, (values, values), ()),)))
    written = "".join(str(derivation.ground_steps[0].arguments[0]).split())
    assert written == "cons(succ(succ(zero)),cons(succ(succ(succ(succ(zero)))),nil))"


def test_models_that_name_numbers_in_terms_do_not_come_back() -> None:
    system = system_of(MEMBER.replace("VALUE", "false"))
    changed, back = UnaryNumbers().apply(system)
    swap = changed.by_name["swap"]
    one = swap.sorts[0].constructor(1)(z3.IntVal(1), swap.sorts[0].constructor(0)())
    formulas = {predicate: z3.BoolVal(True) for predicate in changed.predicates}
    with pytest.raises(TranslationError):
        back.model(Model({**formulas, swap: swap.formals[0] == one}))
    compared = back.model(Model({**formulas, swap: swap.formals[0] == swap.formals[1]}))
    assert str(compared[system.by_name["swap"]]) == "$0 == $1"


def test_systems_without_unary_numbers_stay() -> None:
    text = "(declare-fun p (Int) Bool) (assert (p 0)) (assert (forall ((x Int)) (=> (and (p x) (> x 0)) false)))"
    system = system_of(text)
    assert UnaryNumbers().apply(system)[0] is system


def test_selectors_and_testers_of_numbers() -> None:
    text = f"""{LISTS}
    (declare-fun p (N) Bool) (declare-fun q (L) Bool)
    (assert (p (succ (succ zero))))
    (assert (forall ((x N)) (=> (and (p x) ((_ is succ) x)) (p (pred x)))))
    (assert (forall ((x N) (y L)) (=> (and (p x) ((_ is nil) y)) (q (cons x y)))))
    (assert (forall ((y L)) (=> (and (q y) ((_ is zero) (head y)) (not (= (tail y) nil))) false)))
    """
    system, result = decided(text, "sizes")
    assert isinstance(result, Safe)
    assert certify(system, result.model, time.monotonic() + 60).accepted
    system, result = decided(text.replace("(not (= (tail y) nil))", "(= (tail y) nil)"), "sizes")
    assert isinstance(result, Unsafe)
    assert certify(system, result.derivation, time.monotonic() + 60).accepted
