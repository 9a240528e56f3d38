"""Ground instances for back-translators: by evaluation where the arguments determine everything, else by a solver."""

from collections.abc import Mapping, Sequence

import z3

from chcverify.effort import LONG_QUESTION_MS
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause

Assignment = Mapping[ArenaTerm, ArenaTerm]
"""From variables to values."""


def some_model() -> z3.ModelRef:
    """The empty model: completes terms with default values."""
    return z3.Model()  # a solver's takes 8 ms


class Grounder:
    """Completes instances of clauses; memoised per clause and given values.

    Variables go by identity, not by name: two of one clause may share a name, with different sorts.
    """

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self._known: dict[tuple[int, ...], Assignment | None] = {}
        self._clause_rows: list[ArenaClause] = []  # keeps the identities of rows valid

    def evaluate(self, term: ArenaTerm, assignment: Assignment) -> ArenaTerm:
        """The value of the term under the assignment (simplified only, if the assignment is partial)."""
        return self.arena.simplify(self.arena.substitute(term, assignment))

    def complete(self, term: ArenaTerm, assignment: Assignment) -> ArenaTerm:
        """The value of the term, any value for variables that the assignment leaves open."""
        value = self.evaluate(term, assignment)
        if self.arena.is_value(value):
            return value
        return self.arena.handle(some_model().eval(self.arena.wrap(value), model_completion=True))

    def instance(
        self, clause_row: ArenaClause, head: Sequence[ArenaTerm] | None, body: Sequence[Sequence[ArenaTerm]]
    ) -> Assignment | None:
        """Values for all variables of the clause by which it derives `head` from `body`; None if there are none."""
        key = (id(clause_row), *(v for atom in body for v in atom), *(head or ()))
        if key not in self._known:
            self._clause_rows.append(clause_row)
            known = list(zip(clause_row.body, body, strict=True))
            if head is not None and clause_row.head is not None:
                known.append((clause_row.head, head))
            pairs = [pair for atom, values in known for pair in zip(atom.arguments, values, strict=True)]
            variables = self.arena.variables(clause_row.constraint).union(
                *(self.arena.variables(argument) for atom in clause_row.atoms for argument in atom.arguments)
            )
            found = self._evaluated(clause_row, pairs, variables)
            self._known[key] = self._solved(clause_row, pairs, variables) if found is None else found
        return self._known[key]

    def _evaluated(
        self, clause_row: ArenaClause, pairs: Sequence[tuple[ArenaTerm, ArenaTerm]], variables: frozenset[ArenaTerm]
    ) -> Assignment | None:
        """The instance if all variables are arguments and plain evaluation shows that it is one."""
        assignment = {argument: value for argument, value in pairs if self.arena.is_variable(argument)}
        if not variables <= assignment.keys():
            return None
        if any(self.evaluate(argument, assignment) != value for argument, value in pairs):
            return None
        return assignment if self.evaluate(clause_row.constraint, assignment) == self.arena.true else None

    def _solved(
        self, clause_row: ArenaClause, pairs: Sequence[tuple[ArenaTerm, ArenaTerm]], variables: frozenset[ArenaTerm]
    ) -> Assignment | None:
        solver = z3.Solver()
        solver.set("timeout", LONG_QUESTION_MS)
        term = self.arena.wrap
        # exists variables. constraint & arguments = values
        solver.add(term(clause_row.constraint), *(term(argument) == term(value) for argument, value in pairs))
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        ordered = self.arena.in_order(variables)
        return {v: self.arena.handle(model.eval(term(v), model_completion=True)) for v in ordered}
