"""Abstract-interpretation passes and the named presets, each a sequence of passes that build on earlier invariants."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import z3

from chcverify.effort import MAX_COMBINED, MAX_COMPARED, MAX_FORMULAS
from chcverify.horn.system import HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import applications_of
from solvers.abstract_interpretation.domains import polyhedra
from solvers.abstract_interpretation.domains.basic_domains import AffineHull, Bounds, Congruences, PairEqualities
from solvers.abstract_interpretation.domains.bitvector_domains import (
    BitVectorOrders,
    BitVectorRanges,
    KnownBits,
    ModularGrid,
)
from solvers.abstract_interpretation.domains.bounded_zones import BoundedZones
from solvers.abstract_interpretation.domains.budget import Budget
from solvers.abstract_interpretation.domains.interval_sets import IntervalSets
from solvers.abstract_interpretation.domains.linear_congruences import LinearCongruences
from solvers.abstract_interpretation.domains.polyhedra import Polyhedron
from solvers.abstract_interpretation.features import (
    arguments,
    bitvectors,
    bounded,
    integers,
    monomials,
    octagonal,
    of_width,
    reals,
    scalars,
)
from solvers.abstract_interpretation.fixpoint import Component, Invariants
from solvers.abstract_interpretation.partitioning import conditions, discriminating
from solvers.abstract_interpretation.refinement import Precision, important_variables, refinements, splits
from solvers.abstract_interpretation.segmentation import (
    USUAL_SEGMENTS,
    SegmentationOptions,
    scalar_arguments,
    segments,
)

Splits = Mapping[Predicate, Sequence[z3.ExprRef]]


BIT_VECTOR_WIDTHS = (8, 16, 32, 64)  # widths of bit-vectors with modular equalities


@dataclass(frozen=True)
class AnalysisContext:
    """Data shared by the domains of one pass: the widening thresholds, ascending, and the budget."""

    thresholds: Sequence[Fraction]
    budget: Budget


Components = Callable[[AnalysisContext], list[Component]]


@dataclass(frozen=True)
class AnalysisPass:
    """One fixpoint computation: a product of domains, and the terms by whose values facts are partitioned."""

    name: str
    """For statistics."""
    components: Components
    splits: Callable[[HornSystem, Invariants], Splits] = lambda system, known: {}
    """From the system and the invariants so far to the terms of each predicate."""
    cells: int = Budget.cells
    """Partitions of one predicate at most."""
    growth: bool = False
    """With bounds of sums that do not grow (`growth.py`); without such sums the pass is left out."""
    by_loops: bool = False
    """Each loop is narrowed before what follows it, with queries for the bounds of each partition. What a later loop
    carries along keeps a bound that was too wide when it came there."""
    only_if_open: bool = False
    """The pass is left out unless an argument grows by numbers that have no bounds yet."""


def boxes(setting: AnalysisContext) -> list[Component]:
    """Intervals of numbers, known bits and ranges of bit-vectors."""
    return [
        Component(arguments, lambda vector, _: Bounds(vector, setting.thresholds)),
        Component(bitvectors, lambda vector, features: KnownBits(vector, _sizes(features))),
        Component(bitvectors, lambda vector, features: BitVectorRanges(vector, _sizes(features), setting.thresholds)),
    ]


def _sizes(features: Sequence[z3.BitVecRef]) -> list[int]:
    return [feature.size() for feature in features]


def boxes_eq(setting: AnalysisContext) -> list[Component]:
    """Boxes and equalities between two arguments."""
    return [*boxes(setting), Component(scalars, lambda vector, _: PairEqualities(vector))]


def boxes_eq_mod2(setting: AnalysisContext) -> list[Component]:
    """Boxes, equalities between two arguments, and parities."""
    return [*boxes_eq(setting), Component(integers, lambda vector, _: Congruences(vector, cap=2))]


def affine_congruences(setting: AnalysisContext) -> list[Component]:
    """Boxes, affine equalities, remainders of single integers, and equalities of bit-vectors modulo 2^w."""
    return [
        *boxes(setting),
        Component(arguments, lambda v, _: AffineHull(v)),
        Component(integers, lambda v, _: Congruences(v)),
        *(modular(width, setting) for width in BIT_VECTOR_WIDTHS),
    ]


def modular(width: int, setting: AnalysisContext) -> Component:
    """Equalities modulo powers of two."""
    return Component(lambda p: of_width(p, width, setting.budget), lambda v, _: ModularGrid(v, width))


def grids(setting: AnalysisContext) -> list[Component]:
    """Congruences between several integers, which include equalities modulo a power of two."""

    def few(predicate: Predicate) -> list[z3.ArithRef]:
        return bounded(integers(predicate), setting.budget)

    return [*affine_congruences(setting), Component(few, lambda vector, _: LinearCongruences(vector))]


def octagons(setting: AnalysisContext) -> list[Component]:
    """Affine congruences, and bounds of sums and differences of two arguments."""

    def sums(predicate: Predicate) -> list[z3.ArithRef]:
        return octagonal(predicate, setting.budget)

    def few(predicate: Predicate) -> list[z3.BitVecRef]:
        return bounded(bitvectors(predicate), setting.budget)

    return [
        *affine_congruences(setting),
        Component(sums, lambda vector, _: Bounds(vector, setting.thresholds)),
        Component(few, lambda vector, features: BitVectorOrders(vector, _sizes(features))),
    ]


def polynomials(setting: AnalysisContext) -> list[Component]:
    """Boxes and affine equalities between monomials."""
    return [*boxes(setting), Component(monomials, lambda vector, _: AffineHull(vector))]


def convex(setting: AnalysisContext) -> list[Component]:
    """Polyhedra over the integers and over the reals."""
    kinds = (integers, reals)
    return [
        *boxes(setting),
        *(Component(k, lambda v, _: Polyhedron(v, setting.thresholds, setting.budget)) for k in kinds),
    ]


def expressions(precision: Precision) -> Components:
    """Expressions of the precision's nesting depth over intervals (widened) or disjunctions of intervals."""

    def components(setting: AnalysisContext) -> list[Component]:
        def values(predicate: Predicate) -> list[z3.ArithRef]:
            deeper = octagonal(predicate, setting.budget) if precision.depth > 1 else []
            return [*arguments(predicate), *deeper]

        if precision.widening:
            intervals = Component(values, lambda v, _: Bounds(v, setting.thresholds))
        else:
            intervals = Component(
                values, lambda v, f: IntervalSets(v, setting.thresholds, [x.is_int() for x in f], 16, 64)
            )
        return [intervals, *boxes_eq(setting)[1:], Component(integers, lambda vector, _: Congruences(vector))]

    return components


def by_conditions(count: int) -> Callable[[HornSystem, Invariants], Splits]:
    """Partitioning by up to `count` conditions of the clauses, those of loops all around them."""
    return lambda system, known: conditions(system, count, known, around_loops=True)


def by_phases(count: int) -> Callable[[HornSystem, Invariants], Splits]:
    """The same without tests for overflow; nothing where no other condition is left."""

    def table(system: HornSystem, known: Invariants) -> Splits:
        found = conditions(system, count, known, around_loops=True, overflows=False)
        return {predicate: own for predicate, own in found.items() if own}

    return table


def by_inequalities(system: HornSystem, known: Invariants) -> Splits:
    """Partitioning by up to MAX_COMBINED conditions that are no equations."""
    ranked = conditions(system, MAX_FORMULAS, around_loops=True)
    return {
        predicate: discriminating([c for c in found if not z3.is_eq(c)], MAX_COMBINED, known.get(predicate))
        for predicate, found in ranked.items()
    }


def by_first_steps(system: HornSystem, known: Invariants) -> Splits:
    """Partitioning by one test of a number for equality: a loop that sets a sum in its first step tests its counter."""
    table = {}
    for predicate, found in conditions(system, MAX_FORMULAS).items():
        scalar_ids = {scalar.get_id() for scalar in scalar_arguments(predicate)}
        tests = [test for test in found if z3.is_eq(test) and _compares_with_number(test, scalar_ids)]
        table[predicate] = discriminating(tests, 1, known.get(predicate))
    return table


def _compares_with_number(test: z3.BoolRef, scalar_ids: set[int]) -> bool:
    sides = test.children()
    return any(map(z3.is_int_value, sides)) and any(side.get_id() in scalar_ids for side in sides)


def refined(system: HornSystem) -> Iterable[AnalysisPass]:
    """The passes of the continuously refined generator [BeyerDanglWendler2015, section III-B]."""
    classes = important_variables(system)
    for precision in refinements(len(classes)):

        def apart(_: HornSystem, known: Invariants, precision: Precision = precision) -> Splits:
            return splits(system, classes[: precision.important])

        yield AnalysisPass(f"refined {precision}", expressions(precision), apart)


BOXES = AnalysisPass("boxes", boxes)
BOXES_EQ_MOD2 = AnalysisPass("boxes-eq-mod2", boxes_eq_mod2)
AFFINE = AnalysisPass("affine", affine_congruences)
BASIC = (
    BOXES,
    BOXES_EQ_MOD2,
    AFFINE,
    AnalysisPass("octagons", octagons),
    AnalysisPass("octagons by cases", octagons, by_conditions(3)),
)
PHASES = AnalysisPass("affine by phases", affine_congruences, by_phases(4))  # a loop's test, and three within
GRIDS = AnalysisPass("grids", grids)
GRIDS_BY_CASES = AnalysisPass("grids by cases", grids, by_conditions(3))


def everything(system: HornSystem) -> Iterable[AnalysisPass]:
    """The passes of `df`: cheap passes that often suffice first; the refined generator takes the remaining time."""
    yield from BASIC[:3]
    yield PHASES
    if _has_remainders(system):
        yield from (GRIDS, GRIDS_BY_CASES)
    yield from BASIC[3:4]
    yield GROWTH
    yield GROWTH  # now of what grows by a number that has bounds since the pass before
    yield from BASIC[4:]
    yield GRIDS
    yield AnalysisPass("octagons by more cases", octagons, by_conditions(6))
    yield from refined(system)


def _has_remainders(system: HornSystem) -> bool:
    """Is something computed modulo a number, as registers and positions in rings are?"""
    return any(
        next(applications_of(root, z3.Z3_OP_MOD), None) is not None
        for clause in system.clauses
        for root in (clause.constraint, *(argument for atom in clause.applications for argument in atom.arguments))
    )


def poly(system: HornSystem) -> Iterable[AnalysisPass]:
    """The passes of `df-poly`: polynomial equalities, and polyhedra if their library is installed."""
    yield from (BOXES, AFFINE, AnalysisPass("polynomials", polynomials))
    if polyhedra.available():
        yield AnalysisPass("polyhedra", convex)
        yield AnalysisPass("polyhedra by cases", convex, by_conditions(3))
    yield AnalysisPass("polynomials by cases", polynomials, by_conditions(3))


def related(setting: AnalysisContext) -> list[Component]:
    """Boxes, parities, affine equalities, and the order of any two arguments unless there are too many."""

    def few(predicate: Predicate) -> list[z3.ArithRef]:
        return bounded(arguments(predicate), setting.budget)

    return [
        *boxes(setting),
        Component(integers, lambda vector, _: Congruences(vector, cap=2)),
        Component(integers, lambda vector, _: AffineHull(vector)),
        Component(few, lambda vector, _: BoundedZones(vector)),
    ]


def related_scalars(setting: AnalysisContext) -> list[Component]:
    """Affine equalities and orders of the arguments that are neither cells nor indices; they cost little."""

    def few(predicate: Predicate) -> list[z3.ArithRef]:
        return bounded(scalar_arguments(predicate), setting.budget)

    return [
        *boxes(setting),
        Component(scalar_arguments, lambda vector, _: AffineHull(vector)),
        Component(few, lambda vector, _: BoundedZones(vector)),
    ]


def congruent(setting: AnalysisContext) -> list[Component]:
    """Boxes and congruences between arguments, such as sums that wrap around."""

    def few(predicate: Predicate) -> list[z3.ArithRef]:
        return bounded(integers(predicate), setting.budget)

    return [*boxes(setting), Component(few, lambda vector, _: LinearCongruences(vector))]


def segment_pass(
    name: str, components: Components, others: int, options: SegmentationOptions, cells: bool = True
) -> AnalysisPass:
    """A pass with one abstract value per segment. others, cells, options: see `segments`."""

    def splits_of(system: HornSystem, known: Invariants) -> Splits:
        return segments(system, known, others=others, cells=cells, options=options)

    return AnalysisPass(name, components, splits_of, MAX_COMPARED, by_loops=True)


GROWTH = AnalysisPass("growth", related, growth=True)
SCALARS = AnalysisPass("relations of scalars", related_scalars)
GROWTH_OF_SCALARS = AnalysisPass("growth of scalars", related_scalars, by_first_steps, growth=True)


def by_cells(system: HornSystem, options: SegmentationOptions = USUAL_SEGMENTS) -> Iterable[AnalysisPass]:
    """The passes for array cells: boxes, relations between the scalars if there are several, then segments.

    Six segment passes, those with few conditions and cheap domains first: bounds of cells are enough for the bounds
    of a number that grows by them. The order was chosen by hand on small array loops; no measurement is recorded.
    """
    yield BOXES
    if any(len(scalar_arguments(predicate)) > 1 for predicate in system.predicates):
        yield SCALARS
    yield replace(segment_pass("boxes by segments", boxes, 0, options), only_if_open=True)
    yield GROWTH_OF_SCALARS
    yield segment_pass("relations by segments and flags", related, 2, options, cells=False)
    yield GROWTH_OF_SCALARS
    yield segment_pass("congruences by segments", congruent, 0, options)
    yield segment_pass("relations by segments and cases", related, 3, options)
    yield segment_pass("octagons by segments", octagons, 0, options)
    yield segment_pass("octagons by segments and cases", octagons, 3, options)


def sums(setting: AnalysisContext) -> list[Component]:
    """Boxes, affine equalities, and congruences between arguments, such as sums that wrap around."""

    def few(predicate: Predicate) -> list[z3.ArithRef]:
        found = integers(predicate)
        return found if len(found) <= MAX_COMPARED else []

    hull = Component(arguments, lambda vector, _: AffineHull(vector))
    return [*boxes(setting), hull, Component(few, lambda vector, _: LinearCongruences(vector))]


def by_orders(system: HornSystem) -> Iterable[AnalysisPass]:
    """The passes for arguments of which most matter by their order alone, such as positions in strings."""
    yield BOXES
    yield SCALARS
    yield AnalysisPass("relations of scalars by inequalities", related_scalars, by_inequalities)
    yield AnalysisPass("octagons by inequalities", octagons, by_inequalities)


def by_sums(system: HornSystem) -> Iterable[AnalysisPass]:
    """The passes for arrays as sums of their cells.

    The order of the scalars comes first: it shows which bounds of sums are equal. Then affine equalities and
    congruences of the sums are computed together. The next pass has the congruences alone, since the solver may run out
    of time on a model with both. The last pass distinguishes up to three conditions.
    """
    yield BOXES
    yield SCALARS
    yield AnalysisPass("sums", sums)
    yield AnalysisPass("congruences of sums", lambda setting: sums(setting)[:-2] + sums(setting)[-1:])
    yield AnalysisPass("sums by cases", sums, by_conditions(3))


SEGMENTS_PRESET = "df-segments"
PRESETS: dict[str, Callable[[HornSystem], Iterable[AnalysisPass]]] = {
    "df-boxes": lambda system: (BOXES,),
    "df-boxes-eq": lambda system: (AnalysisPass("boxes-eq", boxes_eq),),
    "df-boxes-eq-mod2": lambda system: (BOXES_EQ_MOD2,),
    "df": everything,
    "df-orders": by_orders,
    "df-poly": poly,
    "df-refined": refined,
    "df-scalars": lambda system: (BOXES, SCALARS),
    "df-sums": by_sums,
    SEGMENTS_PRESET: by_cells,
}
