"""Instances of clauses: their constraints over named states. Work that depends on the clause alone is done once."""

from collections.abc import Sequence

import z3

from chcverify.horn.system import HornSystem
from chcverify.terms.core.traversal import substitute

State = Sequence[z3.ExprRef]


class ClauseInstances:
    """Instances of the clauses of one system, whose atoms have distinct variables as arguments."""

    def __init__(self, system: HornSystem) -> None:
        self._clauses = system.clauses
        # By clause: the arguments of body and head, then the other variables; and names and sorts of the latter.
        self._templates: dict[int, tuple[list[z3.ExprRef], list[tuple[str, z3.SortRef]]]] = {}

    def constraint(self, index: int, states: Sequence[State], suffix: str) -> z3.BoolRef:
        """The clause's constraint about the states of its atoms, body first; other variables get the suffix."""
        if index not in self._templates:
            self._templates[index] = self._template(index)
        old, others = self._templates[index]
        new = [value for state in states for value in state]
        new += [z3.Const(name + suffix, sort) for name, sort in others]
        return substitute(self._clauses[index].constraint, zip(old, new, strict=True))

    def _template(self, index: int) -> tuple[list[z3.ExprRef], list[tuple[str, z3.SortRef]]]:
        clause = self._clauses[index]
        arguments = [argument for atom in clause.applications for argument in atom.arguments]
        named = {argument.get_id() for argument in arguments}
        others = [variable for variable in clause.variables if variable.get_id() not in named]
        return arguments + others, [(variable.decl().name(), variable.sort()) for variable in others]
