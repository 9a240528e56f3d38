"""Ground instances of clauses: completes the values of a clause's variables from what is known of them."""

from collections.abc import Sequence

import z3

from chcverify.horn.system import Clause


def ground_instance(
    clause: Clause,
    head: Sequence[z3.ExprRef] | None,
    body: Sequence[Sequence[z3.ExprRef]],
    timeout_ms: int = 10_000,
) -> dict[str, z3.ExprRef] | None:
    """Values for all variables of the clause (by name) under which its constraint holds, or None if none was found.

    `head` gives the values of the head's arguments (None: free), `body` those of each body atom (may be empty: free).
    """
    solver = z3.Solver()
    solver.set("timeout", timeout_ms)
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
    return {str(v.decl().name()): model.eval(v, model_completion=True) for v in clause.variables}
