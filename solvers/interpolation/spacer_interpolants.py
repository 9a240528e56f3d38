"""Interpolants from Spacer: the model of P(x) :- A and false :- P(x), B, and of longer chains."""

from collections.abc import Sequence

import z3

from chcverify.terms.core.traversal import conjunction, free_variables
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
        found = path_model((a, b), timeout_ms)
        return None if found is None else found[0]


def path_model(formulas: Sequence[z3.BoolRef], timeout_ms: int) -> list[z3.BoolRef] | None:
    """Proposals for the sequence interpolant of A_1 ... A_n: Spacer's model of a chain of clauses; None without one.

    formulas: quantifier-free, of z3's main context. timeout_ms: milliseconds for all of it.
    """
    solver = z3.SolverFor("HORN")
    solver.set("timeout", timeout_ms)
    for name in _KEEP:
        solver.set(name, False)
    before: z3.BoolRef = z3.BoolVal(True)
    states: list[tuple[z3.FuncDeclRef, tuple[z3.ExprRef, ...]]] = []
    for number, formula in enumerate(formulas[:-1], 1):
        shared = shared_variables(conjunction(formulas[:number]), conjunction(formulas[number:]))
        between = z3.FreshFunction(*(variable.sort() for variable in shared), z3.BoolSort())
        # P_(k-1) & A_k => P_k
        solver.add(_closed(z3.Implies(z3.And(before, formula), between(*shared))))
        states.append((between, shared))
        before = between(*shared)
    # P_(n-1) & A_n => false
    solver.add(_closed(z3.Implies(z3.And(before, formulas[-1]), z3.BoolVal(False))))
    try:
        if solver.check() != z3.sat:
            return None
        # The model also has values for the bound variables: `eval` of the atoms would put them in.
        model = solver.model()
        found = [_formula(model[between], shared) for between, shared in states]
    except z3.Z3Exception:
        return None
    complete = [formula for formula in found if formula is not None]
    return complete if len(complete) == len(found) else None


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
