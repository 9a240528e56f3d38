"""Linear ranks that fit given polyhedra of steps, by Farkas' lemma and linear programming with exact numbers.

Podelski and Rybalchenko: A complete method for the synthesis of linear ranking functions (VMCAI 2004), with one rank
for each cut point as in Alias, Darte, Feautrier, Gonnord: Multi-dimensional rankings, program termination, and
complexity bounds of flowchart programs (SAS 2010).
"""

import itertools
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from fractions import Fraction
from math import lcm

import z3

from chcverify.effort import LONG_QUESTION_MS
from chcverify.horn.system import Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.sums import sum_of
from solvers.termination.linear_cubes import CONSTANT, Cube

SMALL_CONSTANT = 1_000
"""Absolute value up to which a constant is one that people take in; those that ranks have by themselves are limits of
types. Chosen by hand."""
LARGEST_COEFFICIENTS = (1, 8, 64, 1 << 16)  # absolute values, tried one after another; chosen by hand
NO_CONSTANTS: Mapping[Predicate, frozenset[int]] = {}


@dataclass(frozen=True, eq=False)
class CubeStep:
    """The steps of a polyhedron from one cut point to another, and what their rank must do."""

    source: Predicate
    target: Predicate
    first: Sequence[z3.ExprRef]
    """The arguments at the source, as the cube has them."""
    last: Sequence[z3.ExprRef]
    cube: Cube
    used: frozenset[int]
    """The clauses of the path."""


def conditions_at(step: CubeStep) -> tuple[z3.BoolRef, ...]:
    """The rows of the cube that are about the fact at the source alone, over the formals of the predicate.

    Inequalities come a second time with one value more: the value at which a loop ends belongs to one of its sides.
    """
    formals = {term.get_id(): formal for term, formal in zip(step.first, step.source.formals, strict=True)}
    found: list[z3.BoolRef] = []
    wider: list[z3.BoolRef] = []
    for row in step.cube.rows:
        keys = row.sum.keys() - {CONSTANT}
        if not keys or not keys <= formals.keys():
            continue
        scale = lcm(*(value.denominator for value in row.sum.values()))
        parts = [int(row.sum[key] * scale) * formals[key] for key in sorted(keys)]
        total = sum_of([*parts, z3.IntVal(int(row.sum.get(CONSTANT, Fraction(0)) * scale))])
        found.append(z3.simplify(total == 0 if row.is_equality else total <= 0))
        if not row.is_equality:
            wider.append(z3.simplify(total <= 1))
    return (*found, *wider)


@dataclass(frozen=True, eq=False)
class KnownDemands:
    """What is demanded of unknown ranks on steps, as formulas: most searches demand the same of the same steps."""

    formulas: dict[tuple["CubeStep", int, bool], tuple[z3.BoolRef, ...]] = field(default_factory=dict)
    """By the step, the decrease, and whether the rank is at least 0."""
    numbers: Iterator[int] = field(default_factory=itertools.count)
    """Of the multiples of rows."""


class LinearRanks:
    """Ranks with unknown coefficients, one for each argument that is an integer, and a constant."""

    def __init__(
        self,
        predicates: Sequence[Predicate],
        largest: int | None,
        known: KnownDemands | None = None,
        constants: Mapping[Predicate, Collection[int]] = NO_CONSTANTS,
    ) -> None:
        """largest: absolute value of a coefficient of an argument; None for any. known: of ranks of the same
        predicates. constants: the positions of arguments that have no coefficient."""
        self._solver = z3.SolverFor("QF_LRA")
        self._solver.set("timeout", LONG_QUESTION_MS)
        self._known = KnownDemands() if known is None else known
        self._unknown = {
            predicate: [
                z3.Real(f"{predicate.name}!{i}") if sort.kind() == z3.Z3_INT_SORT and i not in ignored else None
                for i, sort in enumerate(predicate.sorts)
            ]
            for predicate in predicates
            for ignored in (constants.get(predicate, ()),)
        }
        if largest is not None:
            for unknown in (u for vector in self._unknown.values() for u in vector if u is not None):
                self._solver.add(unknown <= largest, unknown >= -largest)
        self._decreases: dict[CubeStep, z3.ArithRef] = {}
        self._is_open = False
        self._constant = {predicate: z3.Real(f"{predicate.name}!constant") for predicate in predicates}

    def require(self, step: CubeStep, *, decrease: int, bounded: bool) -> None:
        """Demands of all steps of the polyhedron that the rank decreases by at least so much, and from at least 0."""
        key = step, decrease, bounded
        if key not in self._known.formulas:
            self._known.formulas[key] = tuple(self._demands(step, decrease, bounded))
        self._solver.add(*self._known.formulas[key])

    def decreasing(self, steps: Sequence[CubeStep]) -> frozenset[CubeStep]:
        """The steps on each of which some rank decreases that grows on none of them. No other may be demanded to.

        A sum of such ranks is one, so a few solutions show all of the steps. Where a question is open, all of them.
        """
        self.may_decrease(steps, bounded=False)
        return self.most_decreasing() or frozenset(steps if self._is_open else ())

    def may_decrease(self, steps: Sequence[CubeStep], *, bounded: bool = True) -> None:
        """Demands of the steps that ranks do not grow on them, from at least 0 if bounded, and decrease on some."""
        for step in steps:
            decrease = self._decreases[step] = z3.Real(f"decrease!{len(self._decreases)}")
            self._solver.add(decrease >= 0, *self._demands(step, decrease, bounded))

    def most_decreasing(self) -> frozenset[CubeStep]:
        """The steps on which a rank can decrease that does what is demanded; where that is open, it is for none."""
        self._is_open = False
        found: set[CubeStep] = set()
        while len(found) < len(self._decreases):
            # the ranks never grow & the sum of the other decreases is at least 1
            others = sum_of([decrease for step, decrease in self._decreases.items() if step not in found])
            answer = self._solver.check(others >= 1)
            if answer != z3.sat:
                self._is_open = answer == z3.unknown
                break
            model = self._solver.model()
            found |= {step for step, decrease in self._decreases.items() if self._value(model, decrease) > 0}
        return frozenset() if self._is_open else frozenset(found)

    def _demands(self, step: CubeStep, decrease: int | z3.ArithRef, bounded: bool) -> Iterator[z3.BoolRef]:
        source, target = self._unknown[step.source], self._unknown[step.target]
        change: dict[int, list[z3.ArithRef]] = {}
        self._put(change, step.first, source, 1)
        self._put(change, step.last, target, -1)
        # cube => rank(first) - rank(last) >= decrease
        yield from self._entail(step.cube, change, self._constant[step.source] - self._constant[step.target] - decrease)
        if bounded:
            value: dict[int, list[z3.ArithRef]] = {}
            self._put(value, step.first, source, 1)
            # cube => rank(first) >= 0
            yield from self._entail(step.cube, value, self._constant[step.source])

    def solution(self, *, is_simple: bool = True) -> Mapping[Predicate, z3.ArithRef] | None:
        """Ranks over the formals with integer coefficients, few of them other than 0 if is_simple; None if there are
        none.

        Without a constant where it would be large, if variables of the program take its place: `n - i` says more than
        `4294967295 - i`, and more than `size of the tracked object - i`.
        """
        model = self._simplest([]) if is_simple else self._any()
        if model is None:
            return None
        if is_simple and any(
            abs(self._value(model, constant)) > SMALL_CONSTANT for constant in self._constant.values()
        ):
            other = self._simplest([*(constant == 0 for constant in self._constant.values()), *self._without_objects()])
            model = other if other is not None and self._have_sums(other) else model
        scale = lcm(*(self._value(model, u).denominator for u in self._all()), 1)
        return {predicate: self._rank(predicate, model, scale) for predicate in self._unknown}

    def _any(self) -> z3.ModelRef | None:
        """A solution."""
        return self._solver.model() if self._solver.check() == z3.sat else None

    def _without_objects(self) -> list[z3.BoolRef]:
        """The ranks speak of no tracked objects, whose names are no names of variables."""
        named = [pair for p, own in self._unknown.items() for pair in zip(p.names, own, strict=False)]
        return [unknown == 0 for name, unknown in named if unknown is not None and " " in name]

    def _have_sums(self, model: z3.ModelRef) -> bool:
        """True if each rank that has a coefficient has a positive one."""
        factors = [[self._value(model, u) for u in own if u is not None] for own in self._unknown.values()]
        return all(max(own, default=0) > 0 for own in factors if any(own))

    def _simplest(self, chosen: Sequence[z3.BoolRef]) -> z3.ModelRef | None:
        """A solution with the chosen conditions in which few coefficients are other than 0, or else 1 or -1."""
        unknowns = [u for vector in self._unknown.values() for u in vector if u is not None]
        self._solver.push()
        try:
            self._solver.add(*chosen)
            if self._solver.check() != z3.sat:
                return None
            model = self._kept(self._solver.model(), [u == 0 for u in unknowns])
            model = self._with_small_coefficients(model, unknowns)
            for unknown in unknowns:
                for one in (1, -1) if self._value(model, unknown) else ():
                    model = self._kept(model, [unknown == one])
            return model
        finally:
            self._solver.pop()

    def _with_small_coefficients(self, model: z3.ModelRef, unknowns: Sequence[z3.ArithRef]) -> z3.ModelRef:
        """A solution whose coefficients are at most the first of some numbers for which there is one; else the one
        given."""
        used = [unknown for unknown in unknowns if self._value(model, unknown)]
        for largest in LARGEST_COEFFICIENTS:
            bounds = [bound for unknown in used for bound in (unknown <= largest, unknown >= -largest)]
            # what was chosen before & no coefficient is larger
            if self._solver.check(*bounds) == z3.sat:
                self._solver.add(*bounds)
                return self._solver.model()
        return model

    def _kept(self, model: z3.ModelRef, wanted: Sequence[z3.BoolRef]) -> z3.ModelRef:
        """A solution with those of the wanted conditions that it can have, the earlier ones first; all of these are
        asserted. model: a solution. Many conditions hold together, so that halves of them are tried."""
        pending = [wanted]
        while pending:
            part = pending.pop()
            if all(z3.is_true(model.eval(condition, model_completion=True)) for condition in part):
                self._solver.add(*part)
            # the rows have multiples & what could be chosen before, and this, holds
            elif self._solver.check(*part) == z3.sat:
                model = self._solver.model()
                self._solver.add(*part)
            elif len(part) > 1:
                middle = len(part) // 2
                pending += [part[middle:], part[:middle]]
        return model

    def _all(self) -> list[z3.ArithRef]:
        return [*(u for vector in self._unknown.values() for u in vector if u is not None), *self._constant.values()]

    def _value(self, model: z3.ModelRef, unknown: z3.ArithRef) -> Fraction:
        value = model.eval(unknown, model_completion=True)
        return Fraction(value.numerator_as_long(), value.denominator_as_long())

    def _rank(self, predicate: Predicate, model: z3.ModelRef, scale: int) -> z3.ArithRef:
        added: list[z3.ArithRef] = []
        taken_away: list[z3.ArithRef] = []
        for formal, unknown in zip(predicate.formals, self._unknown[predicate], strict=True):
            factor = 0 if unknown is None else int(self._value(model, unknown) * scale)
            if factor and isinstance(formal, z3.ArithRef):
                parts = added if factor > 0 else taken_away
                parts.append(formal if abs(factor) == 1 else abs(factor) * formal)
        constant = int(self._value(model, self._constant[predicate]) * scale)
        if constant or not added:
            added.append(z3.IntVal(constant))
        rank = added[0]
        for part in added[1:]:
            rank = rank + part
        for part in taken_away:
            rank = rank - part
        return rank

    def _put(
        self,
        total: dict[int, list[z3.ArithRef]],
        arguments: Sequence[z3.ExprRef],
        unknown: Sequence[z3.ArithRef | None],
        sign: int,
    ) -> None:
        for argument, factor in zip(arguments, unknown, strict=True):
            if factor is not None:
                total.setdefault(argument.get_id(), []).append(factor if sign > 0 else -factor)

    def _entail(
        self, cube: Cube, wanted: Mapping[int, list[z3.ArithRef]], constant: z3.ArithRef
    ) -> Iterator[z3.BoolRef]:
        """The cube's rows imply sum + constant >= 0: it is a sum of multiples of rows, and of a number from 0.

        The multiple of an equation is the one that takes a term of it away: it needs no unknown of its own.
        """
        solved = cube.solved
        columns: dict[int, list[z3.ArithRef]] = {}
        for key, factors in wanted.items():
            for other, value in solved.replaced.get(key, {key: Fraction(1)}).items():
                columns.setdefault(other, []).extend(_times(value, factor) for factor in factors)
        for row in solved.inequalities:
            factor = z3.Real(f"multiple!{next(self._known.numbers)}")
            yield factor >= 0
            for key, value in row.items():
                columns.setdefault(key, []).append(_times(value, factor))
        # rows: a x + b <= 0. sum + constant = -(multiples of rows) + (number from 0)
        for key in columns.keys() - {CONSTANT}:
            yield sum_of([*columns[key], z3.RealVal(0)]) == 0
        yield constant + sum_of([*columns.get(CONSTANT, ()), z3.RealVal(0)]) >= 0


def _times(value: Fraction, factor: z3.ArithRef) -> z3.ArithRef:
    return factor if value == 1 else z3.RealVal(str(value)) * factor
