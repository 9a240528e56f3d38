"""Ground instances of clauses: a solver completes partial values of a clause's variables."""

from collections.abc import Mapping, Sequence

import z3

from chcverify.effort import LONG_QUESTION_MS
from chcverify.horn.system import Clause

Values = Mapping[int, z3.ExprRef]
"""Of a clause's variables, by their identities (get_id): variables of different sorts may share a name."""


def ground_instance(
    clause: Clause,
    head: Sequence[z3.ExprRef] | None,
    body: Sequence[Sequence[z3.ExprRef]],
) -> Values | None:
    """Values for all variables of the clause under which its constraint holds; None if the solver has none.

    `head` gives the values of the head's arguments (None: free), `body` those of each body atom (may be empty: free).
    """
    solver = z3.Solver()
    solver.set("timeout", LONG_QUESTION_MS)
    solver.add(clause.constraint)
    known = list(zip(clause.body, body, strict=True)) if body else []
    if head is not None and clause.head is not None:
        known.append((clause.head, head))
    for application, values in known:
        for argument, value in zip(application.arguments, values, strict=True):
            solver.add(argument == value)
    # exists variables. constraint & arguments = values
    if solver.check() != z3.sat:
        return None
    model = solver.model()
    return {v.get_id(): model.eval(v, model_completion=True) for v in clause.variables}
