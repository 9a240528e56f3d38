"""The named presets: sequences of rounds, each with more domains, each building on what the rounds before proved."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction

import z3

from chcverify.horn.system import HornSystem, Predicate
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
from solvers.abstract_interpretation.partitioning import conditions
from solvers.abstract_interpretation.refinement import Precision, important_variables, refinements, splits
from solvers.abstract_interpretation.segmentation import scalar_arguments, segments

Splits = Mapping[Predicate, Sequence[z3.ExprRef]]


MAX_ARRAY_CELLS = 48  # of arrays: those of one predicate that its segments and cases may have
BIT_VECTOR_WIDTHS = (8, 16, 32, 64)  # of bit-vectors between which equalities are looked for


@dataclass(frozen=True)
class AnalysisContext:
    """What the domains of a round share: thresholds, ascending, and the budget."""

    thresholds: Sequence[Fraction]
    budget: Budget


Components = Callable[[AnalysisContext], list[Component]]


@dataclass(frozen=True)
class AnalysisPass:
    """One fixpoint: the components of the product, and the terms whose values are kept apart, in so many cells
    of a predicate at most. name: for statistics.
    """

    name: str
    components: Components
    splits: Callable[[HornSystem, Invariants], Splits] = lambda system, known: {}
    cells: int = Budget.cells


def boxes(setting: AnalysisContext) -> list[Component]:
    return [
        Component(arguments, lambda vector, _: Bounds(vector, setting.thresholds)),
        Component(bitvectors, lambda vector, features: KnownBits(vector, _sizes(features))),
        Component(bitvectors, lambda vector, features: BitVectorRanges(vector, _sizes(features), setting.thresholds)),
    ]


def _sizes(features: Sequence[z3.BitVecRef]) -> list[int]:
    return [feature.size() for feature in features]


def boxes_eq(setting: AnalysisContext) -> list[Component]:
    return [*boxes(setting), Component(scalars, lambda vector, _: PairEqualities(vector))]


def boxes_eq_mod2(setting: AnalysisContext) -> list[Component]:
    return [*boxes_eq(setting), Component(integers, lambda vector, _: Congruences(vector, cap=2))]


def affine_congruences(setting: AnalysisContext) -> list[Component]:
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
    """Congruences between several integers, which equalities modulo a power of two are."""

    def few(predicate: Predicate) -> list[z3.ArithRef]:
        return bounded(integers(predicate), setting.budget)

    return [*affine_congruences(setting), Component(few, lambda vector, _: LinearCongruences(vector))]


def octagons(setting: AnalysisContext) -> list[Component]:
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
    return lambda system, known: conditions(system, count, known)


def refined(system: HornSystem) -> Iterable[AnalysisPass]:
    """The continuously refined generator (Beyer, Dangl, Wendler, CAV 2015, section III-B)."""
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


def everything(system: HornSystem) -> Iterable[AnalysisPass]:
    """All in sequence, the cheap and telling ones first; the continuously refined generator takes what time is left."""
    yield from BASIC
    yield AnalysisPass("grids", grids)
    yield AnalysisPass("octagons by more cases", octagons, by_conditions(6))
    yield from refined(system)


def poly(system: HornSystem) -> Iterable[AnalysisPass]:
    yield from (BOXES, AFFINE, AnalysisPass("polynomials", polynomials))
    if polyhedra.available():
        yield AnalysisPass("polyhedra", convex)
        yield AnalysisPass("polyhedra by cases", convex, by_conditions(3))
    yield AnalysisPass("polynomials by cases", polynomials, by_conditions(3))


def related(setting: AnalysisContext) -> list[Component]:
    """Boxes, parities, affine equalities and the order of any two arguments; of wide predicates no order."""

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


def by_segments(others: int, cells: bool = True) -> Callable[[HornSystem, Invariants], Splits]:
    return lambda system, known: segments(system, known, others=others, cells=cells)


SCALARS = AnalysisPass("relations of scalars", related_scalars)
SEGMENTS = (
    AnalysisPass("relations by segments and flags", related, by_segments(2, cells=False), MAX_ARRAY_CELLS),
    AnalysisPass("congruences by segments", congruent, by_segments(0), MAX_ARRAY_CELLS),
    AnalysisPass("relations by segments and cases", related, by_segments(3), MAX_ARRAY_CELLS),
    AnalysisPass("octagons by segments", octagons, by_segments(0), MAX_ARRAY_CELLS),
    AnalysisPass("octagons by segments and cases", octagons, by_segments(3), MAX_ARRAY_CELLS),
)


def by_cells(system: HornSystem) -> Iterable[AnalysisPass]:
    """Segments, once it is known how counters go along with each other, if there are several."""
    yield BOXES
    if any(len(scalar_arguments(predicate)) > 1 for predicate in system.predicates):
        yield SCALARS
    yield from SEGMENTS


PRESETS: dict[str, Callable[[HornSystem], Iterable[AnalysisPass]]] = {
    "df-boxes": lambda system: (BOXES,),
    "df-boxes-eq": lambda system: (AnalysisPass("boxes-eq", boxes_eq),),
    "df-boxes-eq-mod2": lambda system: (BOXES_EQ_MOD2,),
    "df": everything,
    "df-poly": poly,
    "df-refined": refined,
    "df-scalars": lambda system: (BOXES, SCALARS),
    "df-segments": by_cells,
}
