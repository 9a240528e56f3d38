"""Lazy abstraction with interpolants.

McMillan: Lazy abstraction with interpolants (CAV 2006) [McMillan2006]: the clauses are unwound into a tree whose labels
are interpolants of infeasible paths to a query; a vertex whose label implies that of an earlier one needs no
successors. Deviations: breadth first; a new vertex takes over those formulas of the nearest vertex of its predicate
before it that one rule preserves, so that covering seldom needs interpolants of its own;
where one rule excludes a query, the query's negation is the interpolant.
"""

from collections.abc import Sequence
from itertools import islice

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.core.traversal import conjunction, disjunction
from chcverify.terms.native.raw import RawError, RawModel, RawSolver, Term
from solvers.engine import Context, Requirements
from solvers.interpolation.proof_interpolants import NoInterpolant
from solvers.lawi.lawi_tuning import LAWI_TUNING
from solvers.lawi.path_interpolants import PathInterpolation
from solvers.lawi.unwinding import Unwinding, Vertex
from solvers.pdr.transition_system.rule_system import Rule, RuleSystem, has_quantifier


class Lawi:
    """Engine `lawi`."""

    name = "lawi"
    description = "lazy abstraction with interpolants"
    requires = Requirements(normal=True, linear=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        if not system.is_linear:
            return Unknown("lawi takes linear clauses only")
        if has_quantifier(system):
            return Unknown("lawi does not take clauses with quantifiers")
        run = LawiRun(RuleSystem(system), context)
        try:
            with (
                run.problem.raw.interrupted_after(context.remaining()),
                run.problem.proofs.interrupted_after(context.remaining()),
            ):
                return run.search()
        except (NoInterpolant, RawError, z3.Z3Exception) as error:
            return Unknown("out of time" if context.remaining() <= 0 else str(error))
        finally:
            context.statistics.update(run.figures)


class LawiRun:
    """One run of the engine. figures: for statistics."""

    def __init__(self, problem: RuleSystem, context: Context) -> None:
        self.problem, self.raw, self.context = problem, problem.raw, context
        self.paths = PathInterpolation(problem, context)
        self.unwinding = Unwinding(problem)
        self.figures = {"vertices": 0, "refinements": 0, "covered": 0, "forced": 0}
        self.after: list[list[Rule]] = [[] for _ in problem.names]
        for rules in problem.rules:
            for rule in rules:
                if rule.body:
                    self.after[rule.body[0].predicate].append(rule)
        self._solver = RawSolver(self.raw, self.paths.parameters)

    def search(self) -> Result:
        """Expands vertices until all are covered or expanded, or a path to a query is feasible."""
        facts = [rule for rules in self.problem.rules for rule in rules if not rule.body]
        result = self._add(None, facts)
        while result is None and self.context.remaining() > 0:
            vertex = self.unwinding.next()
            if vertex is None:
                return Safe(self._model())
            result = self._visit(vertex)
            self.figures["vertices"] = self.unwinding.count
            self.context.progress("lawi", self.figures)
        return result or Unknown(f"out of time with {self.unwinding.count} vertices")

    def _visit(self, vertex: Vertex) -> Result | None:
        """Excludes the queries from the vertex, and covers or expands it."""
        if self._follows(vertex, [self.raw.false]):  # labels before it are stronger now
            vertex.expanded = True
            self._strengthen(vertex, [self.raw.false])
            return None
        queries = [rule for rule in self.after[vertex.predicate] if rule.head == self.problem.query]
        result = self._add(vertex, queries)
        if result is not None:
            return result
        if vertex.hidden_by() is not None:
            self.unwinding.queue.append(vertex)
            return None
        self._take_over(vertex)
        if self._covered(vertex) or self._covered_by_force(vertex):
            return None
        vertex.expanded = True
        return self._add(vertex, [rule for rule in self.after[vertex.predicate] if rule.head != self.problem.query])

    def _add(self, parent: Vertex | None, rules: Sequence[Rule]) -> Result | None:
        """Vertices for the rules that the parent's label allows; for queries, a refinement or the derivation."""
        for rule in rules:
            vertex = self.unwinding.vertex(parent, rule)
            # label(parent) & rule
            if self._follows(vertex, [self.raw.false]):
                continue
            if rule.head != self.problem.query:
                self.unwinding.insert(vertex)
                continue
            if parent is not None and self._excluded(parent, rule):
                continue
            path = vertex.path()
            found = self.paths.refute(self._steps(path))
            if isinstance(found, RawModel):
                return Unsafe(self._derivation(path, found))
            self._refine(path[:-1], found)
        return None

    def _excluded(self, vertex: Vertex, query: Rule) -> bool:
        """True if the last rule before the vertex excludes the query: then its negation is the weakest interpolant."""
        block = query.body[0]
        if not self.problem.projector.variables(query.formula) <= set(block.constants):
            return False
        negation = self.raw.negate(block.lift(query.formula))
        if not self._follows(vertex, [vertex.to_state(negation)]):
            return False
        self._strengthen(vertex, self.raw.conjuncts(negation))
        return True

    def _steps(self, path: Sequence[Vertex]) -> list[list[Term]]:
        """Each rule's conjuncts with the label before it, which changes nothing but the choice of interpolants."""
        labels: list[list[Term]] = [[]]
        labels += [[vertex.to_state(part) for part in vertex.label] for vertex in path[:-1]]
        return [[*vertex.step, *label] for vertex, label in zip(path, labels, strict=True)]

    def _refine(self, path: Sequence[Vertex], core: Sequence[Sequence[Term]]) -> None:
        """The interpolants join the labels; vertices that are covered by one that gets stronger are open again."""
        self.figures["refinements"] += 1
        found = self.paths.interpolants(core)
        for vertex, interpolant in zip(path, found, strict=True):
            if interpolant != self.raw.true:
                self._strengthen(vertex, self.raw.conjuncts(self.raw.simplify(vertex.lift(interpolant))))
        for vertex in path:
            if vertex.expanded and vertex.hidden_by() is None:
                self._covered(vertex, LAWI_TUNING.candidates_again)

    def _strengthen(self, vertex: Vertex, parts: Sequence[Term]) -> None:
        new = [part for part in parts if part not in vertex.label]
        if not new:
            return
        vertex.label.update(dict.fromkeys(new))
        for other in list(vertex.covered):
            if not self._implies(other, vertex):
                self.unwinding.uncover(other)

    # -- covering

    def _take_over(self, vertex: Vertex) -> None:
        """The formulas of the nearest vertex of the same predicate before it that the last rule preserves."""
        before = next((v for v in list(vertex.ancestors())[1:] if v.predicate == vertex.predicate), None)
        if before is not None:
            parts = [part for part in before.label if part not in vertex.label]
            self._strengthen(vertex, [part for part in parts if self._follows(vertex, [vertex.to_state(part)])])

    def _follows(self, vertex: Vertex, parts: Sequence[Term]) -> bool:
        """True if the parent's label and the rule imply the formulas over the vertex's state."""
        solver, parent = self._solver, vertex.parent
        solver.push()
        try:
            label = [] if parent is None else [parent.to_state(part) for part in parent.label]
            for part in (*label, *vertex.step, self.raw.negated_conjunction(parts)):
                solver.add(part)
            # label(parent) & rule & not formulas
            return solver.check() is False
        finally:
            solver.pop()

    def _implies(self, vertex: Vertex, other: Vertex) -> bool:
        missing = [part for part in other.label if part not in vertex.label]
        if not missing:
            return True
        solver = self._solver
        solver.push()
        try:
            for part in (*vertex.label, self.raw.negated_conjunction(missing)):
                solver.add(part)
            # label(vertex) & not label(other)
            return solver.check() is False
        finally:
            solver.pop()

    def _covered(self, vertex: Vertex, candidates: int = LAWI_TUNING.candidates) -> bool:
        for other in islice(self.unwinding.possible_coverers(vertex), candidates):
            if self._implies(vertex, other):
                self.figures["covered"] += 1
                self.unwinding.cover(vertex, other)
                return True
        return False

    def _covered_by_force(self, vertex: Vertex) -> bool:
        """Covers the vertex by one whose label all paths from their last common vertex satisfy."""
        for other in islice(self.unwinding.possible_coverers(vertex), LAWI_TUNING.forced):
            common = set(other.ancestors())
            path = vertex.path()
            start = sum(v in common for v in path)
            goal = [vertex.to_state(part) for part in other.label]
            steps = [*self._steps(path)[start:], [self.raw.negated_conjunction(goal)]]
            # label(common) & rules from there to the vertex & not label(other)
            found = self.paths.refute(steps)
            if not isinstance(found, RawModel):
                self.figures["forced"] += 1
                self._refine(path[start:], found)
                if self._covered(vertex):
                    return True
        return False

    # -- answers

    def _model(self) -> Model:
        """For each predicate the disjunction of the labels that are not hidden."""
        main = z3.main_ctx()
        labels: list[list[z3.BoolRef]] = [
            [
                conjunction(self.raw.wrap(part, main) for part in vertex.label)
                for vertex in own
                if not vertex.hidden_by()
            ]
            for own in self.unwinding.of
        ]
        return Model({predicate: disjunction(labels[number]) for predicate, number in self.problem.number.items()})

    def _derivation(self, path: Sequence[Vertex], model: RawModel) -> Derivation:
        main = z3.main_ctx()
        steps = []
        for number, vertex in enumerate(path):
            values = tuple(self.raw.wrap(model.eval(variable), main) for variable in vertex.state)
            steps.append(Step(vertex.rule.index, values, (number - 1,) if number else ()))
        return Derivation(tuple(steps))
