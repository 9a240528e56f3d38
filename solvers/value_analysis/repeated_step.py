"""Clauses that are looked at again: what they only hand on costs next to nothing."""

from collections.abc import Sequence
from dataclasses import replace

from solvers.value_analysis.clause_objects import TrackedInClause
from solvers.value_analysis.clause_step import ClauseStep, Visit, expressible
from solvers.value_analysis.node_values import Value
from solvers.value_analysis.states import AbstractState


class RepeatedStep:
    """A clause with its last visit. Most clauses read few of the arguments of the atom in their body; where others
    changed since then, these alone are handed on, with the objects that the clause leaves as they are."""

    def __init__(self, step: ClauseStep) -> None:
        self.step = step
        self._body: AbstractState | None = None
        self._visit: Visit | None = None
        self._handed = self._handed_on()
        self._kept: dict[int, list[tuple[TrackedInClause, int]]] = {}  # of each object of the body that is left so
        for item in step.objects.all:
            for atom, number in item.body if item.is_same else ():
                nodes = step.objects.of_body(atom, number)
                same = [(item, own) for own in item.head if step.objects.head_nodes[own] == nodes]
                self._kept.setdefault(number, []).extend(same)

    def after(self, bodies: Sequence[AbstractState]) -> AbstractState | None:
        """The state of the head; None if the clause derives nothing. bodies: those of the atoms in the body."""
        if self._handed is None:
            visit = self.step.after(bodies)
            return None if visit is None else visit.state
        again = None
        if self._visit is not None and self._body is not None:
            again = self._again(self._visit, self._body, bodies[0])
        self._body, self._visit = bodies[0], again or self.step.after(bodies)
        return None if self._visit is None else self._visit.state

    def _again(self, last: Visit, old: AbstractState, new: AbstractState) -> Visit | None:
        """The visit where only changes what the clause hands on; None if more does."""
        assert self._handed is not None
        if new.differences != old.differences or new.inequalities != old.inequalities:
            return None
        related = {position for form in new.inequalities for position, _ in form}
        changed = [
            position
            for position, (one, other) in enumerate(zip(old.values, new.values, strict=True))
            if one is not other and one != other
        ]
        for position in changed:
            if position not in self._handed or position in new.differences or position in related:
                return None
        objects = self._objects_again(old, new)
        if objects is None:
            return None
        values: list[Value] = list(last.state.values)
        for position in changed:
            value = new.values[position]
            last.run.values[self.step.code.body[0][position]] = value
            for place in self._handed[position]:
                values[place] = expressible(value)
        kept = self.step.kept(last.run, [new], objects)
        self.step.set_sizes_and_states(values, kept)
        in_order = tuple(kept.get(number, each) for number, each in enumerate(last.state.objects))
        return Visit(last.run, replace(last.state, values=tuple(values), objects=in_order))

    def _objects_again(self, old: AbstractState, new: AbstractState) -> list[tuple[TrackedInClause, int]] | None:
        """The objects of the head that change because those of the body do, as of `kept`; None if the clause reads
        some of these."""
        found: list[tuple[TrackedInClause, int]] = []
        for number, (one, other) in enumerate(zip(old.objects, new.objects, strict=True)):
            if one is not other and one != other:
                if number not in self._kept:
                    return None
                found += self._kept[number]
        return found

    def _handed_on(self) -> dict[int, list[int]] | None:
        """The positions of the body's arguments that the clause does not read, with those of the head where it hands
        them on; None if all is to be looked at: there is not one atom, or an object is born or ends."""
        code, objects = self.step.code, self.step.objects
        if len(code.body) != 1 or len(set(code.body[0])) != len(code.body[0]):
            return None
        for item in objects.all:
            states = [objects.of_body(*supplier)[1] for supplier in item.body]
            if any(objects.head_nodes[own][1] not in states for own in item.head):
                return None
        read = code.below([code.constraint, *(node for node in code.head if not code.is_variable(node))])
        found: dict[int, list[int]] = {node: [] for node in code.body[0] if node not in read and code.is_variable(node)}
        for position, node in enumerate(code.head):
            if node in found:
                found[node].append(position)
        return {position: found[node] for position, node in enumerate(code.body[0]) if node in found}
