"""Ground instances for back-translators: by evaluation where the arguments determine everything, else by a solver."""

from collections.abc import Sequence

import z3

from chcverify.horn.system import Clause
from chcverify.terms.equations import apply_table
from chcverify.terms.occurrence import Occurrences, is_plain
from chcverify.terms.rewrite import is_value

TIMEOUT_MS = 10_000
Assignment = dict[int, tuple[z3.ExprRef, z3.ExprRef]]
"""From the identity of a variable to (variable, value)."""


def some_model() -> z3.ModelRef:
    """The empty model: completes terms with default values."""
    solver = z3.SimpleSolver()
    solver.check()
    return solver.model()


class Grounder:
    """Completes instances of clauses; memoised per clause and known values.

    Variables go by identity, not by name: two of one clause may share a name, with different sorts.
    """

    def __init__(self) -> None:
        self.memo = Occurrences()
        self._known: dict[tuple[object, ...], Assignment | None] = {}
        self._alive: list[object] = []

    def evaluate(self, term: z3.ExprRef, assignment: Assignment) -> z3.ExprRef:
        """The value of the term under the assignment (simplified only, if the assignment is partial)."""
        if is_plain(term):
            found = assignment.get(term.get_id())
            return term if found is None else found[1]
        return term if is_value(term) else z3.simplify(apply_table(term, assignment, self.memo))

    def complete(self, term: z3.ExprRef, assignment: Assignment) -> z3.ExprRef:
        """The value of the term, any value for variables that the assignment leaves open."""
        value = self.evaluate(term, assignment)
        return value if is_value(value) else some_model().eval(value, model_completion=True)

    def instance(
        self, clause: Clause, head: Sequence[z3.ExprRef] | None, body: Sequence[Sequence[z3.ExprRef]]
    ) -> Assignment | None:
        """Values for all variables of the clause under which it derives `head` from `body`; None if not found."""
        values = [*(v for atom in body for v in atom), *(head or ())]
        key = (id(clause), *(value.get_id() for value in values))
        if key not in self._known:
            self._alive.append((clause, values))
            found = self._evaluated(clause, head, body)
            self._known[key] = self._solved(clause, head, body) if found is None else found
        return self._known[key]

    def _evaluated(
        self, clause: Clause, head: Sequence[z3.ExprRef] | None, body: Sequence[Sequence[z3.ExprRef]]
    ) -> Assignment | None:
        """The instance if all variables are arguments and plain evaluation shows that it is one."""
        known = list(zip(clause.body, body, strict=True))
        if head is not None and clause.head is not None:
            known.append((clause.head, head))
        pairs = [pair for atom, values in known for pair in zip(atom.arguments, values, strict=True)]
        assignment: Assignment = {a.get_id(): (a, v) for a, v in pairs if is_plain(a)}
        if any(v.get_id() not in assignment for v in clause.variables):
            return None
        if not all(self.evaluate(argument, assignment).eq(value) for argument, value in pairs):
            return None
        return assignment if z3.is_true(self.evaluate(clause.constraint, assignment)) else None

    def _solved(
        self, clause: Clause, head: Sequence[z3.ExprRef] | None, body: Sequence[Sequence[z3.ExprRef]]
    ) -> Assignment | None:
        solver = z3.Solver()
        solver.set("timeout", TIMEOUT_MS)
        known = list(zip(clause.body, body, strict=True))
        if head is not None and clause.head is not None:
            known.append((clause.head, head))
        # exists variables. constraint & arguments = values
        solver.add(clause.constraint)
        for atom, values in known:
            solver.add(*(argument == value for argument, value in zip(atom.arguments, values, strict=True)))
        if solver.check() != z3.sat:
            return None
        model = solver.model()
        return {v.get_id(): (v, model.eval(v, model_completion=True)) for v in clause.variables}
