"""The interface of interpolation, and the check that every interpolant has to pass.

An interpolant of (A, B), A & B unsatisfiable: A => I, I & B unsatisfiable, I over the symbols that A and B share.
"""

from collections.abc import Sequence
from typing import Protocol

import z3

from chcverify.terms.core.traversal import free_variables


class Interpolator(Protocol):
    """One way to find interpolants: a solver, or a reading of a solver's proofs. name: for statistics."""

    name: str

    def propose(self, a: z3.BoolRef, b: z3.BoolRef, timeout_ms: int) -> z3.BoolRef | None:
        """A formula I that should be an interpolant of (A, B), or None.

        a, b: quantifier-free, of z3's main context; wanted is  A & B unsatisfiable.  If that does not hold, or is not
        shown within the time, or the theory is not one of the interpolator's, the result is None.

        The result should satisfy  A => I,  I & B => false,  symbols(I) within those of both A and B.  It is a proposal
        all the same: `binary` checks these three conditions, and nobody else may rely on them without that. Raises
        nothing for hard, foreign or satisfiable input.
        """
        ...


def shared_variables(a: z3.BoolRef, b: z3.BoolRef) -> tuple[z3.ExprRef, ...]:
    """The constants that occur in both formulas, in the order of a."""
    others = {variable.get_id() for variable in free_variables(b)}
    return tuple(variable for variable in free_variables(a) if variable.get_id() in others)


def _refuted(timeout_ms: int, *formulas: z3.BoolRef) -> bool:
    solver = z3.Solver()
    solver.set("timeout", timeout_ms)
    solver.add(*formulas)
    return bool(solver.check() == z3.unsat)


def is_interpolant(a: z3.BoolRef, interpolant: z3.BoolRef, b: z3.BoolRef, timeout_ms: int = 5_000) -> bool:
    """True if the formula satisfies all three conditions. A time-out counts as False."""
    allowed = {variable.get_id() for variable in shared_variables(a, b)}
    if any(variable.get_id() not in allowed for variable in free_variables(interpolant)):
        return False
    # A & not I unsatisfiable; I & B unsatisfiable
    return _refuted(timeout_ms, a, z3.Not(interpolant)) and _refuted(timeout_ms, interpolant, b)


def binary(
    a: z3.BoolRef, b: z3.BoolRef, interpolators: Sequence[Interpolator], timeout_ms: int = 5_000
) -> z3.BoolRef | None:
    """The first interpolator's proposal that passes the check; None if there is none."""
    for interpolator in interpolators:
        proposal = interpolator.propose(a, b, timeout_ms)
        if proposal is not None and is_interpolant(a, proposal, b, timeout_ms):
            return proposal
    return None
