"""Global guidance: lemmas that clusters of similar lemmas suggest.

Vediramana Krishnan, Chen, Shoham, Gurfinkel: Global guidance for local generalization in model checking (CAV 2020)
[KrishnanChenShohamGurfinkel2020]. A cluster holds the cubes of a predicate that differ in the bounds of their linear
literals only. The points of their bounds have an affine hull; the union of all cubes with bounds on it, as a
conjunction of linear literals, subsumes the whole cluster if it is blocked. Deviation: obligations that follow each
other round a loop are clustered in the same way, before there are lemmas. This module only proposes cubes; the engine
checks them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import field
from fractions import Fraction
from math import gcd

from chcverify.effort import MAX_ALTERNATIVES, REPETITIONS
from chcverify.quick_dataclass import dataclass
from chcverify.terms.arithmetic.affine_hulls import LinearRow, affine_hull, eliminate
from chcverify.terms.arithmetic.linear_literals import Arithmetic, Linear
from chcverify.terms.native.raw import RawModel, Renaming, Term

Shape = tuple[object, ...]
Point = tuple[Fraction, ...]


@dataclass(eq=False)
class Cluster:
    """Cubes of one shape: `sums` (the linear left sides, in order) with bounds, and `rest`, the literals they share."""

    sums: tuple[tuple[tuple[Term, int], ...], ...]
    is_int: tuple[bool, ...]
    rest: tuple[Term, ...]
    points: dict[Point, None] = field(default_factory=dict)
    tried: set[tuple[Term, ...]] = field(default_factory=set)


class Guidance:
    """Clusters of all predicates, of lemmas or of obligations."""

    def __init__(self, arithmetic: Arithmetic) -> None:
        self.arithmetic = arithmetic
        self._clusters: dict[tuple[int, Shape], Cluster] = {}
        self._directions: dict[tuple[int, frozenset[Term]], set[tuple[tuple[Term, int], ...]]] = {}

    def note(self, predicate: int, cube: Sequence[Term]) -> Cluster | None:
        """Adds the cube to its cluster; returns the cluster if it is large enough for proposals."""
        bounds: list[Linear] = []
        others: list[Term] = []
        for literal in cube:
            linear = self.arithmetic.read(literal)
            if linear is not None and linear.relation == "<=":
                bounds.append(linear)
            else:
                others.append(literal)
        bounds.sort(key=self.arithmetic.order)
        self._note_directions(predicate, bounds)
        if not bounds:
            return None
        rest = tuple(self.arithmetic.raw.in_order(others))
        sums = tuple(bound.terms for bound in bounds)
        cluster = self._clusters.setdefault(
            (predicate, (sums, rest)), Cluster(sums, tuple(bound.is_int for bound in bounds), rest)
        )
        cluster.points[tuple(bound.bound for bound in bounds)] = None
        return cluster if len(cluster.points) >= REPETITIONS else None

    def _note_directions(self, predicate: int, bounds: Sequence[Linear]) -> None:
        """Records the coefficients of each bounded sum of two terms or more, by the set of its terms."""
        for bound in bounds:
            if len(bound.terms) > 1:
                key = (predicate, frozenset(term for term, _ in bound.terms))
                self._directions.setdefault(key, set()).add(bound.terms)

    def proposals(self, cluster: Cluster) -> Iterable[tuple[Term, ...]]:
        """Cubes that contain all cubes of the cluster, the tightest first; each is proposed once."""
        points = list(cluster.points)[-MAX_ALTERNATIVES:]
        rows = self._hull_cube(cluster, points)
        residues = self._residues(cluster, points)
        yield from self._new(
            cluster,
            [*self._bounds(cluster, points), *rows, *residues],
            [*rows, *residues],
            rows,
            residues,
            cluster.rest and [],
        )

    def lines(self, cluster: Cluster) -> Iterable[tuple[Term, ...]]:
        """The proposal without bounds of the single sums, which stays as it is while the cluster grows."""
        points = list(cluster.points)[-MAX_ALTERNATIVES:]
        rows = self._hull_cube(cluster, points)
        residues = self._residues(cluster, points)
        if rows or residues:
            yield from self._new(cluster, [*rows, *residues])

    def _new(self, cluster: Cluster, *cubes: Sequence[Term]) -> Iterable[tuple[Term, ...]]:
        for cube in cubes:
            parts = tuple(dict.fromkeys([*cube, *cluster.rest]))
            if parts and parts not in cluster.tried:
                cluster.tried.add(parts)
                yield parts

    def _bounds(self, cluster: Cluster, points: Sequence[Point]) -> list[Term]:
        """The literals that bound each sum by the greatest of its bounds."""
        return [
            self.arithmetic.build(Linear(terms, "<=", max(point[i] for point in points), cluster.is_int[i]))
            for i, terms in enumerate(cluster.sums)
        ]

    def _hull_cube(self, cluster: Cluster, points: Sequence[Point]) -> list[Term]:
        """exists bounds on the affine hull of the points. all sums are below their bounds (over the rationals)."""
        origin, directions = affine_hull(points)
        if not directions or len(directions) >= len(cluster.sums):
            return []
        terms = list(dict.fromkeys(term for total in cluster.sums for term, _ in total))
        # sum_i <= origin_i + direction_1i * t_1 + ...   as   (coefficients of terms, coefficients of t) <= bound
        rows = [
            LinearRow(
                tuple(Fraction(dict(total).get(term, 0)) for term in terms)
                + tuple(-direction[i] for direction in directions),
                origin[i],
            )
            for i, total in enumerate(cluster.sums)
        ]
        projected = eliminate(rows, len(terms))
        normal = self.arithmetic.normal
        forms = [normal(dict(zip(terms, row.coefficients, strict=False)), "<=", row.bound) for row in projected]
        return [self.arithmetic.build(form) for form in forms if form is not None]

    def _residues(self, cluster: Cluster, points: Sequence[Point]) -> list[Term]:
        """sum mod m = r where the cubes fix the sum to values of one residue class."""
        raw, out = self.arithmetic.raw, []
        for i, terms in enumerate(cluster.sums):
            opposite = tuple((term, -c) for term, c in terms)
            j = cluster.sums.index(opposite) if opposite in cluster.sums else -1
            if j <= i or not cluster.is_int[i] or any(point[i] != -point[j] for point in points):
                continue
            values = [int(point[i]) for point in points]
            modulus = gcd(*(value - values[0] for value in values))
            if modulus > 1:
                term = self.arithmetic.sum_term(terms)
                number, residue = raw.numeral(modulus, raw.int_sort), raw.numeral(values[0] % modulus, raw.int_sort)
                out.append(raw.equation(raw.mod(term, number), residue))
        return out

    def concretise(self, predicate: int, cube: Sequence[Term], value: RawModel, to_body: Renaming) -> list[Term]:
        """The cube with bounds of single terms for sums in whose terms lemmas keep changing direction.

        The result implies the cube: with sum c_i x_i <= b true in the model, all c_i x_i <= c_i value(x_i) imply it.
        Sums of reals stay: there are too many values.
        """
        out: list[Term] = []
        for literal in cube:
            form = self.arithmetic.read(literal)
            if form is None or not form.is_int or len(form.terms) < 2 or not self._is_restless(predicate, form):
                out.append(literal)
            else:
                out.extend(self._box(form, value, to_body))
        return list(dict.fromkeys(out))

    def _is_restless(self, predicate: int, form: Linear) -> bool:
        key = (predicate, frozenset(term for term, _ in form.terms))
        return len(self._directions.get(key, ())) >= REPETITIONS

    def _box(self, form: Linear, value: RawModel, to_body: Renaming) -> Iterable[Term]:
        raw = self.arithmetic.raw
        for term, c in form.terms:
            number = raw.value(value.eval(to_body(term)))
            sign = 1 if c > 0 else -1
            yield self.arithmetic.build(Linear(((term, sign),), "<=", sign * number, form.is_int))
