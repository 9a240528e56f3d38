"""Interpolants from Spacer: the model of P(x) :- A and false :- P(x), B."""

from collections.abc import Sequence

import z3

from chcverify.terms.core.traversal import free_variables
from solvers.interpolation.interpolate import shared_variables

# Passes that would remove the predicate, or leave quantifiers in its interpretation.
_KEEP = ("fp.xform.slice", "fp.xform.inline_linear", "fp.xform.inline_eager")


class SpacerInterpolator:
    """Asks Spacer for a predicate between A and B; slower than proofs, but for every theory that Spacer decides."""

    name = "spacer"

    def propose(self, a: z3.BoolRef, b: z3.BoolRef, timeout_ms: int) -> z3.BoolRef | None:
        if _is_unsatisfiable(b, timeout_ms):
            # Spacer drops the second clause, and its model need not satisfy the first one.
            return z3.BoolVal(True)
        return _separating_predicate(a, b, timeout_ms)


def _separating_predicate(a: z3.BoolRef, b: z3.BoolRef, timeout_ms: int) -> z3.BoolRef | None:
    """Spacer's interpretation of a predicate P over the shared variables with A => P and P & B => false."""
    solver = z3.SolverFor("HORN")
    solver.set("timeout", timeout_ms)
    for name in _KEEP:
        solver.set(name, False)
    shared = shared_variables(a, b)
    between = z3.FreshFunction(*(variable.sort() for variable in shared), z3.BoolSort())
    # A => P
    solver.add(_closed(z3.Implies(a, between(*shared))))
    # P & B => false
    solver.add(_closed(z3.Implies(z3.And(between(*shared), b), z3.BoolVal(False))))
    try:
        if solver.check() != z3.sat:
            return None
        # The model also has values for the bound variables: `eval` of the atom would put them in.
        return _formula(solver.model()[between], shared)
    except z3.Z3Exception:
        return None


def _formula(interpretation: z3.FuncInterp | z3.BoolRef | None, arguments: Sequence[z3.ExprRef]) -> z3.BoolRef | None:
    """The interpretation applied to the arguments, if it is one formula."""
    if not isinstance(interpretation, z3.FuncInterp):
        return interpretation
    if interpretation.num_entries() or interpretation.else_value() is None:
        return None
    formula: z3.BoolRef = z3.substitute_vars(interpretation.else_value(), *arguments)
    return formula


def _is_unsatisfiable(formula: z3.BoolRef, timeout_ms: int) -> bool:
    solver = z3.SimpleSolver()
    solver.set("timeout", timeout_ms)
    # formula
    return bool(solver.check(formula) == z3.unsat)


def _closed(formula: z3.BoolRef) -> z3.BoolRef:
    variables = free_variables(formula)
    return z3.ForAll(list(variables), formula) if variables else formula
