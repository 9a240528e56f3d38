"""The named presets: sequences of rounds, each with more domains, each building on what the rounds before proved."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction

from solvers.invariants.domains import AffineHull, Bounds, Congruences, KnownBits, PairEqualities
from solvers.invariants.features import arguments, bitvectors, integers, monomials, octagonal, scalars
from solvers.invariants.fixpoint import Component

Thresholds = Sequence[Fraction]


def boxes(thresholds: Thresholds) -> list[Component]:
    bits = Component(bitvectors, lambda vector, features: KnownBits(vector, [f.size() for f in features]))
    return [Component(arguments, lambda vector, _: Bounds(vector, thresholds)), bits]


def boxes_eq(thresholds: Thresholds) -> list[Component]:
    return [*boxes(thresholds), Component(scalars, lambda vector, _: PairEqualities(vector))]


def boxes_eq_mod2(thresholds: Thresholds) -> list[Component]:
    return [*boxes_eq(thresholds), Component(integers, lambda vector, _: Congruences(vector, cap=2))]


def affine_congruences(thresholds: Thresholds) -> list[Component]:
    return [
        *boxes(thresholds),
        Component(arguments, lambda v, _: AffineHull(v)),
        Component(integers, lambda v, _: Congruences(v)),
    ]


def octagons(thresholds: Thresholds) -> list[Component]:
    bounds = Component(octagonal, lambda vector, _: Bounds(vector, thresholds))
    return [*affine_congruences(thresholds), bounds]


def polynomials(thresholds: Thresholds) -> list[Component]:
    return [*boxes(thresholds), Component(monomials, lambda vector, _: AffineHull(vector))]


@dataclass(frozen=True)
class Round:
    """One fixpoint: the components of the product, and how many conditions partition each predicate's values."""

    components: Callable[[Thresholds], list[Component]]
    conditions: int = 0


PRESETS: dict[str, tuple[Round, ...]] = {
    "df-boxes": (Round(boxes),),
    "df-boxes-eq": (Round(boxes_eq),),
    "df-boxes-eq-mod2": (Round(boxes_eq_mod2),),
    "df": (Round(boxes), Round(boxes_eq_mod2), Round(affine_congruences), Round(octagons), Round(octagons, 3)),
    "df-poly": (Round(boxes), Round(affine_congruences), Round(polynomials)),
}
