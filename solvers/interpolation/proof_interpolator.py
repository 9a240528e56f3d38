"""Interpolants from z3's proofs, for any two formulas over Booleans and linear real arithmetic."""

import time

import z3

from chcverify.terms.arithmetic.linear_literals import Arithmetic
from chcverify.terms.core.ite_elimination import without_ites
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.native.raw import Raw, RawError, RawSolver
from solvers.interpolation.clausal_form import ClausalForm, LiteralClause, NoClauses
from solvers.interpolation.proof_interpolants import PROOF_PARAMETERS, NoInterpolant, Partition, ProofInterpolation


class ProofInterpolator:
    """No proposal where a proof has steps that are not understood: integer cuts, other theories."""

    name = "proofs"

    def propose(self, a: z3.BoolRef, b: z3.BoolRef, timeout_ms: int) -> z3.BoolRef | None:
        end = time.monotonic() + timeout_ms / 1000
        raw = Raw(z3.Context(proof=True))
        arithmetic = Arithmetic(raw)
        solver = RawSolver(raw, {**PROOF_PARAMETERS, "timeout": timeout_ms})
        try:
            partition = Partition(raw, _clauses(raw, arithmetic, a), _clauses(raw, arithmetic, b))
            for clause in (*partition.a, *partition.b):
                solver.add(clause)
            # A & B
            if solver.check() is not False:
                return None
            found = ProofInterpolation(partition, arithmetic, lambda: time.monotonic() > end).interpolant(solver)
        except (NoClauses, NoInterpolant, RawError):
            return None
        interpolant: z3.BoolRef = raw.wrap(found, a.ctx)
        return interpolant


def _clauses(raw: Raw, arithmetic: Arithmetic, formula: z3.BoolRef) -> list[LiteralClause]:
    plain, _ = without_ites(conjunction([formula]))
    return ClausalForm(raw, arithmetic).clauses(raw.handle(plain))
