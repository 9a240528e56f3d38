"""Clauses that are unsatisfiable only after many iterations, with derivations in which every single change is wrong."""

from collections.abc import Iterator
from dataclasses import dataclass, replace

import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.horn.io.reader import read_horn_text
from chcverify.horn.system import HornSystem

COUNT = 1_000_000
n, k = z3.Ints("iteration k")
INTS = z3.ArraySort(z3.IntSort(), z3.IntSort())
ZEROS = z3.K(z3.IntSort(), z3.IntVal(0))


@dataclass(frozen=True)
class Case:
    """text: SMT-LIB, where `guard` is the only condition of some step of the cycle."""

    name: str
    text: str
    derivation: Derivation
    guard: str = f"(< x {COUNT})"

    @property
    def system(self) -> HornSystem:
        return read_horn_text(self.text, f"{self.name}.smt2")

    def guarded(self, guard: str) -> "Case":
        return replace(self, text=self.text.replace(self.guard, f"(and {self.guard} {guard})"))


def numbers(*values: int | z3.ExprRef) -> tuple[z3.ExprRef, ...]:
    return tuple(z3.IntVal(value) if isinstance(value, int) else value for value in values)


def link(clause: int, arguments: tuple[z3.ExprRef, ...], premises: tuple[int | None, ...] = (None,), **values) -> Link:
    pairs = tuple((z3.Const(name, z3.IntSort()), value) for name, value in values.items())
    return Link(clause, arguments, premises, pairs)


def filled(end: int | z3.ExprRef, base: z3.ExprRef = ZEROS, factor: int = 2) -> z3.ExprRef:
    """The array with factor * k at 0 <= k < end."""
    return z3.Lambda([k], z3.If(z3.And(k >= 0, k < end), factor * k, z3.Select(base, k)))


COUNTER = Case(
    "counter",
    f"""
    (set-logic HORN)
    (declare-fun P (Int) Bool)
    (assert (P 0))
    (assert (forall ((x Int)) (=> (and (P x) (< x {COUNT})) (P (+ x 1)))))
    (assert (forall ((x Int)) (=> (and (P x) (= x {COUNT})) false)))
    """,
    Derivation((Step(0, numbers(0), ()), Cycle(n, COUNT, 0, (link(1, (n + 1,)),)), Step(2, (), (1,)))),
)
TWO_CLAUSES = Case(
    "two clauses",
    f"""
    (set-logic HORN)
    (declare-fun P (Int Int) Bool)
    (declare-fun Q (Int Int) Bool)
    (assert (forall ((x Int) (s Int)) (=> (= x s 0) (P x s))))
    (assert (forall ((x Int) (s Int)) (=> (and (P x s) (< x {COUNT})) (Q x (+ s 3)))))
    (assert (forall ((x Int) (s Int) (y Int)) (=> (and (Q x s) (= y (+ x 1))) (P y (- s 1)))))
    (assert (forall ((x Int) (s Int)) (=> (and (P x s) (= x {COUNT}) (= s {2 * COUNT})) false)))
    """,
    Derivation(
        (
            Step(0, numbers(0, 0), ()),
            Cycle(n, COUNT, 0, (link(1, (n, 2 * n + 3)), link(2, (n + 1, 2 * n + 2)))),
            Step(3, (), (1,)),
        )
    ),
)
NONLINEAR = Case(
    "a second premise",
    f"""
    (set-logic HORN)
    (declare-fun F (Int Int) Bool)
    (declare-fun P (Int Int) Bool)
    (assert (F 0 0))
    (assert (forall ((m Int) (y Int)) (=> (F m y) (F (+ m 1) (+ y 2)))))
    (assert (P 0 0))
    (assert (forall ((x Int) (s Int) (m Int) (y Int))
        (=> (and (F m y) (P x s) (= m 2) (< x {COUNT})) (P (+ x 1) (+ s y)))))
    (assert (forall ((x Int) (s Int)) (=> (and (P x s) (= s {4 * COUNT})) false)))
    """,
    Derivation(
        (
            Step(0, numbers(0, 0), ()),
            Step(1, numbers(1, 2), (0,)),
            Step(1, numbers(2, 4), (1,)),
            Step(2, numbers(0, 0), ()),
            Cycle(n, COUNT, 3, (link(3, (n + 1, 4 * n + 4), (2, None)),)),
            Step(4, (), (4,)),
        )
    ),
)
SAME_PREDICATE = Case(
    "a second premise of one predicate",
    f"""
    (set-logic HORN)
    (declare-fun P (Int Int) Bool)
    (assert (forall ((x Int)) (=> (= x 0) (P x 5))))
    (assert (forall ((x Int) (y Int) (s Int) (t Int))
        (=> (and (P x s) (P y t) (= y 0) (< x {COUNT})) (P (+ x 1) (+ s t)))))
    (assert (forall ((x Int) (s Int)) (=> (and (P x s) (= s {5 * COUNT + 5})) false)))
    """,
    Derivation(
        (
            Step(0, numbers(0, 5), ()),
            Cycle(n, COUNT, 0, (link(1, (n + 1, 5 * n + 10), (None, 0)),)),
            Step(2, (), (1,)),
        )
    ),
)
_ONE = z3.IntVal(1)
CHOICES = Case(
    "undetermined values",
    f"""
    (set-logic HORN)
    (declare-fun P (Int Int) Bool)
    (assert (P 0 0))
    (assert (forall ((x Int) (s Int) (z Int) (w Int))
        (=> (and (P x s) (< x {COUNT}) (> z (* 2 x)) (= (+ w s) (- z x))) (P (+ x 1) (+ s w 1)))))
    (assert (forall ((x Int) (s Int)) (=> (and (P x s) (= x {COUNT}) (= s {2 * COUNT + 6})) false)))
    """,
    Derivation(
        (
            Step(0, numbers(0, 0), ()),
            Cycle(
                n, COUNT - 1, 0, (link(1, (n + 1, z3.If(n < 0, 0, 2 * n + 5)), z=3 * n + 4, w=z3.If(n == 0, 4, _ONE)),)
            ),
            Step(1, numbers(COUNT, 2 * COUNT + 6), (1,)),
            Step(2, (), (2,)),
        )
    ),
)
PARITY = Case(
    "parity",
    f"""
    (set-logic HORN)
    (declare-fun P (Int Bool Int) Bool)
    (assert (P 0 true 0))
    (assert (forall ((x Int) (b Bool) (s Int))
        (=> (and (P x b s) (< x {COUNT})) (P (+ x 1) (not b) (ite b (+ s 1) s)))))
    (assert (forall ((x Int) (b Bool) (s Int)) (=> (and (P x b s) b (= x {COUNT}) (= s {COUNT // 2})) false)))
    """,
    Derivation(
        (
            Step(0, (z3.IntVal(0), z3.BoolVal(True), z3.IntVal(0)), ()),
            Cycle(n, COUNT, 0, (link(1, (n + 1, (n + 1) % 2 == 0, (n + 2) / z3.IntVal(2))),)),
            Step(2, (), (1,)),
        )
    ),
)
FILL = f"""
    (set-logic HORN)
    (declare-fun P (Int (Array Int Int)) Bool)
    (declare-fun Q (Int (Array Int Int) (Array Int Int)) Bool)
    (assert (forall ((a (Array Int Int))) (=> (= a ((as const (Array Int Int)) 0)) (P 0 a))))
    (assert (forall ((x Int) (a (Array Int Int)) (v Int))
        (=> (and (P x a) (< x {COUNT}) (>= v x)) (P (+ x 1) (store a x v)))))
    (assert (forall ((x Int) (a (Array Int Int)) (v Int) (y Int))
        (=> (and (P x a) (= x {COUNT}) (= v (select a 777)) (< y 0))
            (Q 0 (store a y v) ((as const (Array Int Int)) 3)))))
    (assert (forall ((x Int) (a (Array Int Int)) (b (Array Int Int)) (c (Array Int Int)))
        (=> (and (Q x a b) (< x {COUNT}) (= c (store b x (+ (select a x) 1)))) (Q (+ x 1) a c))))
    (assert (forall ((x Int) (a (Array Int Int)) (b (Array Int Int)) (y Int))
        (=> (and (Q x a b) (= x {COUNT}) (= (select b 777) 1555) (= (select b {COUNT}) 3)
            (= (select a y) 1554) (< y 0)) false)))
    """
_DONE = z3.Store(filled(COUNT), -5, 1554)


def _copied(end: int | z3.ExprRef) -> z3.ExprRef:
    return z3.Lambda([k], z3.If(z3.And(k >= 0, k < end), 2 * k + 1, z3.IntVal(3)))


ARRAYS = Case(
    "arrays, one cycle after the other",
    FILL,
    Derivation(
        (
            Step(0, (z3.IntVal(0), ZEROS), ()),
            Cycle(n, COUNT, 0, (link(1, (n + 1, filled(n + 1)), v=2 * n),)),
            Step(2, (z3.IntVal(0), _DONE, z3.K(z3.IntSort(), z3.IntVal(3))), (1,)),
            Cycle(n, COUNT, 2, (link(3, (n + 1, _DONE, _copied(n + 1))),)),
            Step(4, (), (3,)),
        )
    ),
)
CASES = (COUNTER, TWO_CLAUSES, NONLINEAR, SAME_PREDICATE, CHOICES, PARITY, ARRAYS)


def changed_cycles(derivation: Derivation) -> Iterator[tuple[str, Derivation]]:
    """Every kind of single change of a cycle. "clause" and "value" are in the names of what only changes those."""
    for number, cycle in enumerate(derivation.steps):
        if not isinstance(cycle, Cycle):
            continue
        for what, changed in _changed(cycle, len(derivation.steps)):
            steps = (*derivation.steps[:number], changed, *derivation.steps[number + 1 :])
            yield f"cycle {number}: {what}", Derivation(steps)


def _changed(cycle: Cycle, steps: int) -> Iterator[tuple[str, Cycle]]:
    for count in (cycle.count - 1, cycle.count + 1, 0, -1, 1):
        yield f"count {count}", replace(cycle, count=count)
    for start in range(-1, steps + 1):
        if start != cycle.start:
            yield f"start {start}", replace(cycle, start=start)
    yield "another variable", replace(cycle, variable=z3.Int("x"))
    yield "no links", replace(cycle, links=())
    yield "all links twice", replace(cycle, links=cycle.links * 2)
    if len(cycle.links) > 1:
        yield "links in another order", replace(cycle, links=cycle.links[::-1])
    for position, old in enumerate(cycle.links):
        without = (*cycle.links[:position], *cycle.links[position + 1 :])
        yield f"without link {position}", replace(cycle, links=without)
        for what, new in _changed_link(old, cycle.variable, steps):
            links = (*cycle.links[:position], new, *cycle.links[position + 1 :])
            yield f"link {position}: {what}", replace(cycle, links=links)


def _changed_link(old: Link, variable: z3.ArithRef, steps: int) -> Iterator[tuple[str, Link]]:
    for place, argument in enumerate(old.arguments):
        for new in _changed_terms(argument, variable):
            arguments = (*old.arguments[:place], new, *old.arguments[place + 1 :])
            yield f"argument {place} is {new}", replace(old, arguments=arguments)
    yield "an argument more", replace(old, arguments=(*old.arguments, z3.IntVal(0)))
    for place, premise in enumerate(old.premises):
        for other in (None, *range(-1, steps + 1)):
            if other != premise:
                premises = (*old.premises[:place], other, *old.premises[place + 1 :])
                yield f"premise {place} is {other}", replace(old, premises=premises)
    yield "a premise more", replace(old, premises=(*old.premises, 0))
    for clause in range(-1, 6):
        if clause != old.clause:
            yield f"clause {clause}", replace(old, clause=clause)
    for place, (name, value) in enumerate(old.values):
        rest = (*old.values[:place], *old.values[place + 1 :])
        yield f"value of {name} missing", replace(old, values=rest)
        yield f"value of {name} twice", replace(old, values=(*old.values, (name, value)))
        for new in _changed_terms(value, variable):
            yield f"value of {name} is {new}", replace(old, values=(*rest, (name, new)))


def _changed_terms(term: z3.ExprRef, variable: z3.ArithRef) -> Iterator[z3.ExprRef]:
    """Terms with other values: everywhere, at the beginning, at the end, once in the middle."""
    for when in (z3.BoolVal(True), variable == 0, variable == COUNT - 2, variable == 5000):
        if z3.is_int(term):
            yield z3.If(when, term + 1, term)
        elif term.sort() == INTS:
            yield z3.If(when, z3.Store(term, 4000, z3.IntVal(-9)), term)
        else:
            yield z3.If(when, z3.Not(term), term)
    yield z3.Const("free", term.sort())
    yield z3.FreshConst(z3.RealSort())
    if z3.is_int(term):
        yield term * variable
        yield term / variable
        yield z3.Function("f", z3.IntSort(), z3.IntSort())(variable)
        yield z3.ToInt(z3.ToReal(term))
