"""Whether two formulas mean the same."""

import z3


def equivalent(left: z3.BoolRef, right: z3.BoolRef) -> bool:
    """True if z3 shows that they do."""
    solver = z3.Solver()
    # left differs from right
    solver.add(left != right)
    return bool(solver.check() == z3.unsat)
