"""Sequence interpolants of infeasible paths: from the proof of one refutation, or as Spacer's model of the path.

A path is a list of formulas A_1 ... A_n, each over the state before it, the state after it, and variables of its own.
Henzinger, Jhala, Majumdar, McMillan: Abstractions from proofs (POPL 2004) [HenzingerJhalaMajumdarMcMillan2004].
"""

from collections.abc import Sequence

import z3

from chcverify.terms.arithmetic.linear_literals import Arithmetic
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.native.raw import RawModel, RawSolver, Term
from solvers.engine import Context
from solvers.interpolation import BitwuzlaInterpolator, path_model, sequence
from solvers.interpolation.clausal_form import ClausalForm, LiteralClause, NoClauses
from solvers.interpolation.proof_interpolants import PROOF_PARAMETERS, NoInterpolant, Partition, ProofInterpolation
from solvers.pdr.transition_system.rule_system import RuleSystem

Path = Sequence[Sequence[Term]]
"""For each step its conjuncts."""


class PathInterpolation:
    """Decides paths and interpolates the infeasible ones."""

    def __init__(self, problem: RuleSystem, context: Context) -> None:
        self.problem, self.raw, self.context = problem, problem.raw, context
        self.parameters = {"arith.solver": problem.arithmetic_solver, "random_seed": context.seed}
        sorts = {sort.kind() for predicate in problem.system.predicates for sort in predicate.sorts}
        self._of_bits = [BitwuzlaInterpolator()] if z3.Z3_BV_SORT in sorts else []

    def refute(self, path: Path) -> RawModel | list[list[Term]]:
        """A model of the path, or the conjuncts of each step that are enough to refute it. Raises NoInterpolant."""
        raw = self.raw
        solver = RawSolver(raw, self.parameters)
        names: dict[Term, tuple[int, Term]] = {}
        for number, step in enumerate(path):
            for part in step:
                name = raw.literal("part")
                names[name] = number, part
                solver.add(raw.disjunction([raw.negate(name), part]))
        asked = self._core(solver, list(names))
        if isinstance(asked, RawModel):
            return asked
        for first in range(len(path)):
            # A_(first + 1) & ... & A_n: interpolants near its end are about the fewest steps
            rest = [name for name in asked if names[name][0] > first]
            core = self._core(solver, rest) if len(rest) < len(asked) else rest
            if isinstance(core, RawModel):
                break
            asked = core
        kept: list[list[Term]] = [[] for _ in path]
        for name in asked:
            number, part = names[name]
            kept[number].append(part)
        return kept

    def _core(self, solver: RawSolver, names: Sequence[Term]) -> RawModel | list[Term]:
        """A model, or names that are enough for a refutation, asked again until all of them are used."""
        asked = list(names)
        while True:
            # the named parts of A_1 & ... & A_n
            answer = solver.check(asked)
            if answer:
                return solver.model()
            if answer is None:
                raise NoInterpolant("z3 has no answer about a path")
            core = set(solver.core())
            if len(core) == len(asked):
                return asked
            asked = [name for name in asked if name in core]

    def interpolants(self, path: Path) -> list[Term]:
        """I_1 ... I_(n-1) of an infeasible path, each a consequence of the one before and its step. NoInterpolant."""
        used = [number for number, step in enumerate(path) if step]
        first, last = used[0], used[-1]
        inner = self._inner(path[first : last + 1])
        return [self.raw.true] * first + inner + [self.raw.false] * (len(path) - 1 - last)

    def _inner(self, path: Path) -> list[Term]:
        """The same, for a path whose first and last step are needed."""
        if len(path) == 1:
            return []
        try:
            found: list[Term] | None = self._from_proof(path)
        except (NoInterpolant, NoClauses):
            found = None
        if found is None or not self._valid(path, found):
            found = self._from_others(path)
            if found is None or not self._valid(path, found):
                raise NoInterpolant("no interpolants of a path")
        return found

    def _from_proof(self, path: Path) -> list[Term]:
        """All interpolants from one proof, so each follows from the one before and its step."""
        proofs = self.problem.proofs
        arithmetic = Arithmetic(proofs)
        clauses: list[list[LiteralClause]] = []
        solver = RawSolver(proofs, PROOF_PARAMETERS)
        for step in path:
            form = ClausalForm(proofs, arithmetic)  # definitions belong to their step
            clauses.append([clause for part in step for clause in form.clauses(self.raw.translate(part, proofs))])
            for clause in clauses[-1]:
                solver.add(proofs.disjunction(clause))
        # A_1 & ... & A_n
        if solver.check() is not False:
            raise NoInterpolant("z3 gave up on a refutation")
        out = []
        for cut in range(1, len(path)):
            before = [clause for step in clauses[:cut] for clause in step]
            after = [clause for step in clauses[cut:] for clause in step]
            interpolation = ProofInterpolation(Partition(proofs, before, after), arithmetic, self._late)
            out.append(proofs.translate(interpolation.interpolant(solver), self.raw))
        return out

    def _from_others(self, path: Path) -> list[Term] | None:
        main = z3.main_ctx()
        steps = [conjunction(self.raw.wrap(part, main) for part in step) for step in path]
        timeout_ms = max(1, int(1000 * self.context.remaining()))
        found = sequence(steps, self._of_bits, timeout_ms) if self._of_bits else None
        if found is None:
            found = path_model(steps, timeout_ms)
        return None if found is None else [self.raw.handle(formula) for formula in found]

    def _valid(self, path: Path, interpolants: Sequence[Term]) -> bool:
        before = self.raw.true
        for step, after in zip(path, [*interpolants, self.raw.false], strict=True):
            solver = RawSolver(self.raw, self.parameters)
            for part in (before, *step, self.raw.negate(after)):
                solver.add(part)
            # I_(k-1) & A_k & not I_k
            if solver.check() is not False:
                return False
            before = after
        return True

    def _late(self) -> bool:
        return self.context.remaining() <= 0
