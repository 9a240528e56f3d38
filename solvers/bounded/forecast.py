"""Forecasts for loops: how long they go on if the constants at their exits change as they did in the last iteration."""

from collections.abc import Iterable, Mapping, Sequence, Set

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.evaluation.disjunctive_cases import bottom_up
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.bounded.clauses import Transition
from solvers.bounded.graph import Node

_COMPARISONS = frozenset({z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ})
_ELEMENTS = frozenset({z3.Z3_OP_SELECT, z3.Z3_OP_ITE})


@dataclass(frozen=True)
class LoopExit:
    """A transition that leaves a loop."""

    transition: Transition
    before: Node | None
    now: Node
    earlier: Node | None = None
    """The last nodes of its source, one iteration apart."""


class Forecast:
    """Evaluates exits of loops under constants."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena

    def goes_on(self, exits: Sequence[LoopExit], iterations: int) -> bool:
        """True if there are exits, and none is taken within so many iterations while constants change as they did."""
        return bool(exits) and all(
            any(self._stays_false(literal, way_out, iterations) for literal in way_out.transition.guard)
            for way_out in exits
        )

    def distance(self, exits: Iterable[LoopExit]) -> int:
        """The iterations until an exit is taken if its constants change by one; 1 if that is not known."""
        found = [self._distance(way_out) for way_out in exits]
        return max(1, min(found, default=1))

    def not_left(self, exits: Sequence[LoopExit], iterations: int, new: Set[ArenaTerm]) -> ArenaTerm | None:
        """A formula over inputs: is no exit taken after so many iterations? new: the inputs of the last iteration.

        None if an exit depends on something that is not forecast: on an element of an array, which may be a choice
        between variables, or on no constant that changes.
        """
        closed = []
        for way_out in exits:
            guard = self._guard_later(way_out, iterations, new)
            if guard is None:
                return None
            closed.append(self.arena.negate(guard))
        return self.arena.conjunction(closed) if closed else None

    def _guard_later(self, way_out: LoopExit, iterations: int, new: Set[ArenaTerm]) -> ArenaTerm | None:
        arena, transition = self.arena, way_out.transition
        later = self._constants_later(way_out, iterations)
        guard = arena.conjunction(transition.guard)
        variables = arena.variables(guard)
        formals = map(arena.handle, way_out.now.predicate.formals)
        values = dict(zip(formals, way_out.now.values, strict=True))
        values |= {variable: arena.fresh_like(b"in", variable) for variable in transition.inputs}
        is_up_to_new = all(v in transition.inputs or arena.variables(values.get(v, v)) <= new for v in variables)
        is_forecast = is_up_to_new or not variables.isdisjoint(later)
        if not is_forecast or any(arena.kind(part) in _ELEMENTS for part in bottom_up(arena, [guard])):
            return None
        return arena.substitute(guard, {**values, **later})

    def _constants_later(self, way_out: LoopExit, iterations: int) -> Mapping[ArenaTerm, ArenaTerm]:
        """The formals with constants that changed in the last iteration, with the values that they then have."""
        arena, later = self.arena, dict[ArenaTerm, ArenaTerm]()
        if way_out.before is None:
            return later
        for formal, now in way_out.now.constants.items():
            before = way_out.before.constants.get(formal, now)
            number = arena.wrap(now)
            if now != before and (z3.is_arith(number) or z3.is_bv(number)) and self._is_steady(way_out, formal):
                later[formal] = arena.simplify(arena.handle(number + iterations * (number - arena.wrap(before))))
        return later

    def _is_steady(self, way_out: LoopExit, formal: ArenaTerm) -> bool:
        """False if the constant is known to have changed by another number in the iteration before: a mask that is
        shifted, for example."""
        if way_out.earlier is None or way_out.before is None:
            return True
        earlier = way_out.earlier.constants.get(formal)
        if earlier is None:
            return True
        last, now = (self.arena.wrap(node.constants[formal]) for node in (way_out.before, way_out.now))
        return bool(z3.is_true(z3.simplify(now - last == last - self.arena.wrap(earlier))))

    def _distance(self, way_out: LoopExit) -> int:
        """Of the literals that do not hold yet."""
        found = [(literal, self._difference(literal, way_out.now)) for literal in way_out.transition.guard]
        missing = [abs(each) for literal, each in found if each is not None and not self._holds(literal, each)]
        return max(missing, default=1)

    def _stays_false(self, literal: ArenaTerm, way_out: LoopExit, iterations: int) -> bool:
        """True if the comparison is false now, and its sides do not come to where it holds in so many iterations."""
        before = None if way_out.before is None else self._difference(literal, way_out.before)
        now = self._difference(literal, way_out.now)
        if before is None or now is None or self._holds(literal, now):
            return False
        later = now + iterations * (now - before)
        crossed = (now < 0) != (later < 0) or later == 0
        return not self._holds(literal, later) and not (self._is_equation(literal) and crossed)

    def _difference(self, literal: ArenaTerm, node: Node) -> int | None:
        """left - right of a comparison of integers, or of its negation, under the constants of the node."""
        arena = self.arena
        comparison = self._comparison(literal)
        if arena.kind(comparison) not in _COMPARISONS or not arena.variables(comparison) <= node.constants.keys():
            return None
        left, right = arena.children(comparison)
        if not arena.is_integer(left):
            return None
        return arena.number(arena.simplify(arena.substitute(arena.sum(left, right, -1), node.constants)))

    def _comparison(self, literal: ArenaTerm) -> ArenaTerm:
        return self.arena.children(literal)[0] if self.arena.kind(literal) == z3.Z3_OP_NOT else literal

    def _is_equation(self, literal: ArenaTerm) -> bool:
        return bool(self.arena.kind(literal) == z3.Z3_OP_EQ)

    def _holds(self, literal: ArenaTerm, difference: int) -> bool:
        """The literal's truth, by the difference of the sides."""
        truth = {
            z3.Z3_OP_LE: difference <= 0,
            z3.Z3_OP_LT: difference < 0,
            z3.Z3_OP_GE: difference >= 0,
            z3.Z3_OP_GT: difference > 0,
            z3.Z3_OP_EQ: difference == 0,
        }[self.arena.kind(self._comparison(literal))]
        return truth != (self.arena.kind(literal) == z3.Z3_OP_NOT)
