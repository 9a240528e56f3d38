"""Path conditions that share their beginnings, and states merged where paths join."""

from collections.abc import Sequence
from dataclasses import field

from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm


@dataclass(eq=False, slots=True)
class PathCondition:
    """A path condition: that of the parent, and the literal. term: all of it. The root has no parent."""

    parent: "PathCondition | None"
    literal: ArenaTerm
    term: ArenaTerm
    depth: int = 0
    extensions: dict[ArenaTerm, "PathCondition"] = field(default_factory=dict)


State = tuple[PathCondition, Sequence[ArenaTerm]]
"""A path condition and the values of a predicate's arguments."""


class PathConditions:
    """Makes path conditions: equal extensions of one are one."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self.root = PathCondition(None, arena.true, arena.true)

    def extend(self, path: PathCondition, literals: Sequence[ArenaTerm]) -> PathCondition:
        """The path on which the literals hold, too."""
        for literal in literals:
            if literal == self.arena.true:
                continue
            found = path.extensions.get(literal)
            if found is None:
                term = self.arena.conjunction([path.term, literal])
                found = path.extensions[literal] = PathCondition(path, literal, term, path.depth + 1)
            path = found
        return path

    def merge(self, states: Sequence[State]) -> State:
        """The state after any of them: at most one of the conditions holds, and if so with its values."""
        left = self._opposites(states)
        if len(left) == 1:
            return left[0]
        ancestor = self._ancestor([path for path, _ in left])
        conditions = [self._below(ancestor, path) for path, _ in left]
        values = list(left[-1][1])
        for condition, (_, others) in zip(conditions[-2::-1], left[-2::-1], strict=True):
            values = self._choices(condition, others, values)
        return self.extend(ancestor, [self.arena.disjunction(conditions)]), values

    def _opposites(self, states: Sequence[State]) -> list[State]:
        """Merges what differs in the truth of its last literal only, deepest first."""
        waiting = sorted(states, key=lambda state: state[0].depth)
        done: list[State] = []
        table: dict[tuple[int, ArenaTerm], State] = {}  # by parent and literal
        while waiting:
            path, values = state = waiting.pop()
            if path.parent is None:
                done.append(state)
                continue
            partner = table.pop((id(path.parent), self.arena.complement(path.literal)), None)
            if partner is None:
                key = (id(path.parent), path.literal)
                if key in table:
                    done.append(state)
                else:
                    table[key] = state
                continue
            merged = (path.parent, self._choices(path.literal, values, partner[1]))
            place = len(waiting)
            while place and waiting[place - 1][0].depth > path.parent.depth:
                place -= 1
            waiting.insert(place, merged)
        return [*table.values(), *done]

    def _choices(
        self, condition: ArenaTerm, then: Sequence[ArenaTerm], otherwise: Sequence[ArenaTerm]
    ) -> list[ArenaTerm]:
        choice = self.arena.ite
        return [a if a == b else choice(condition, a, b) for a, b in zip(then, otherwise, strict=True)]

    def _ancestor(self, paths: Sequence[PathCondition]) -> PathCondition:
        first, *others = paths
        for other in others:
            while first is not other:
                if first.depth >= other.depth:
                    assert first.parent is not None
                    first = first.parent
                else:
                    assert other.parent is not None
                    other = other.parent
        return first

    def _below(self, ancestor: PathCondition, path: PathCondition) -> ArenaTerm:
        """What the path adds to the ancestor."""
        literals = []
        while path is not ancestor:
            literals.append(path.literal)
            assert path.parent is not None
            path = path.parent
        return self.arena.conjunction(reversed(literals))
