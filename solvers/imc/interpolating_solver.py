"""Interpolants of one question with changing sources, each of them validated."""

from collections.abc import Sequence

from chcverify.terms.arithmetic.linear_literals import Arithmetic
from chcverify.terms.native.raw import RawSolver, Term
from solvers.engine import Context
from solvers.interpolation.clausal_form import ClausalForm, LiteralClause
from solvers.interpolation.proof_interpolants import PROOF_PARAMETERS, NoInterpolant, Partition, ProofInterpolation
from solvers.pdr.transition_system.rule_system import RuleSystem


class InterpolatingSolver:
    """A = source & step, B = suffix, formulas over terms of the problem's context."""

    def __init__(self, problem: RuleSystem, step: Sequence[Term], suffix: Sequence[Term], context: Context) -> None:
        self.problem, self.raw, self.proofs, self.context = problem, problem.raw, problem.proofs, context
        self.arithmetic = Arithmetic(self.proofs)
        self.step, self.suffix = self._clauses(step), self._clauses(suffix)
        self.solver = RawSolver(self.proofs, PROOF_PARAMETERS)
        for clause in (*self.step, *self.suffix):
            self.solver.add(self.proofs.disjunction(clause))
        self.plain_a, self.plain_b = RawSolver(self.raw), RawSolver(self.raw)
        for formula in step:
            self.plain_a.add(formula)
        for formula in suffix:
            self.plain_b.add(formula)

    def _clauses(self, formulas: Sequence[Term]) -> list[LiteralClause]:
        form = ClausalForm(self.proofs, self.arithmetic)
        there = [self.raw.translate(formula, self.proofs) for formula in formulas]
        return [clause for formula in there for clause in form.clauses(formula)]

    def interpolant(self, source: Sequence[Term]) -> Term | None:
        """An interpolant; None if A & B is satisfiable. Raises NoInterpolant."""
        clauses = self._clauses(source)
        self.solver.push()
        try:
            for clause in clauses:
                self.solver.add(self.proofs.disjunction(clause))
            # source & step & suffix
            answer = self.solver.check()
            if answer is None:
                raise NoInterpolant("z3 gave up on a refutation")
            if answer:
                return None
            partition = Partition(self.proofs, [*clauses, *self.step], self.suffix)
            found = ProofInterpolation(partition, self.arithmetic, self._late).interpolant(self.solver)
        finally:
            self.solver.pop()
        interpolant = self.proofs.translate(found, self.raw)
        # A & not I unsatisfiable; I & B unsatisfiable
        if not self._valid(self.plain_a, [*source, self.raw.negate(interpolant)]):
            raise NoInterpolant("an interpolant does not follow from A")
        if not self._valid(self.plain_b, [interpolant]):
            raise NoInterpolant("an interpolant does not refute B")
        return interpolant

    def _late(self) -> bool:
        return self.context.remaining() <= 0

    def _valid(self, solver: RawSolver, formulas: Sequence[Term]) -> bool:
        solver.push()
        try:
            for formula in formulas:
                solver.add(formula)
            # the side & the formulas
            return solver.check() is False
        finally:
            solver.pop()
