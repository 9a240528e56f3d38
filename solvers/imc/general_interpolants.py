"""Interpolants for theories without clauses here, such as bit-vectors, from whichever interpolator has one."""

from collections.abc import Sequence

import z3

from chcverify.terms.core.traversal import conjunction
from chcverify.terms.native.raw import RawSolver, Term
from solvers.engine import Context
from solvers.interpolation import ALL, binary
from solvers.interpolation.proof_interpolants import NoInterpolant
from solvers.pdr.transition_system.rule_system import RuleSystem


class GeneralInterpolants:
    """A = source & step, B = suffix, formulas over terms of the problem's context. `binary` validates interpolants."""

    def __init__(self, problem: RuleSystem, step: Sequence[Term], suffix: Sequence[Term], context: Context) -> None:
        self.raw, self.context, self.step, self.suffix = problem.raw, context, step, suffix
        self.solver = RawSolver(self.raw)
        for formula in (*step, *suffix):
            self.solver.add(formula)

    def interpolant(self, source: Sequence[Term]) -> Term | None:
        """An interpolant; None if A & B is satisfiable. Raises NoInterpolant."""
        self.solver.push()
        for formula in source:
            self.solver.add(formula)
        # source & step & suffix
        answer = self.solver.check()
        self.solver.pop()
        if answer:
            return None
        timeout_ms = int(1000 * self.context.remaining())
        found = None
        if answer is False and timeout_ms > 0:
            found = binary(self._term([*source, *self.step]), self._term(self.suffix), ALL, timeout_ms)
        if found is None:
            raise NoInterpolant("no interpolator has an interpolant")
        return self.raw.handle(found)

    def _term(self, formulas: Sequence[Term]) -> z3.BoolRef:
        main = z3.main_ctx()
        return conjunction(self.raw.wrap(formula, main) for formula in formulas)
