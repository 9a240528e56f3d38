"""Interpolation-based model checking.

McMillan: Interpolation and SAT-based model checking (CAV 2003) [McMillan2003]: facts and one rule on one side, k rules
to the query on the other; the interpolant is an image of the states so far that does not reach the query within k
rules. Deviation: the facts are part of every image, so interpretations need no existential variables.
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import disjunction
from chcverify.terms.native.raw import RawError, RawSolver, Renaming, Term
from solvers.bmc.engine import BaseRun
from solvers.engine import Context, Requirements
from solvers.imc.general_interpolants import GeneralInterpolants
from solvers.imc.interpolating_solver import InterpolatingSolver
from solvers.interpolation.clausal_form import NoClauses
from solvers.interpolation.proof_interpolants import NoInterpolant
from solvers.pdkind.rule_paths import Unrolling
from solvers.pdr.transition_system.rule_system import Rule, RuleSystem, has_quantifier

States = dict[int, Term]
"""For a predicate a formula over its formals; states of absent predicates are not included."""


class Imc:
    """Engine `imc`."""

    name = "imc"
    description = "interpolation-based model checking with interpolants from z3's proofs"
    requires = Requirements(normal=True, linear=True)

    def solve(self, system: HornSystem, context: Context) -> Result:
        if has_quantifier(system):
            return Unknown("imc does not take clauses with quantifiers")
        # Releasing a context with large proofs can take longer than the search: the process ends before.
        run = self.run = ImcRun(system, context)
        try:
            with (
                run.problem.raw.interrupted_after(context.remaining()),
                run.problem.proofs.interrupted_after(context.remaining()),
            ):
                return run.search()
        except (NoInterpolant, NoClauses, RawError, z3.Z3Exception) as error:
            return Unknown("out of time" if context.remaining() <= 0 else str(error))


class ImcRun:
    """One run of the engine."""

    def __init__(self, system: HornSystem, context: Context) -> None:
        self.system, self.context = system, context
        self.problem = RuleSystem(system)
        self.raw = self.problem.raw
        self.unrolling = Unrolling(self.problem)
        self.unrolling.reach(1)
        self.base = BaseRun(system, context)
        self.predicates = sorted(self.unrolling.at[1].keys() - {self.problem.query} | self._fact_predicates())

    def search(self) -> Result:
        """Images of the facts for k = 1, 2, ... until one adds nothing, or the query is reached."""
        k = 0
        while self.context.remaining() > 0:
            k += 1
            self.context.statistics["k"] = k
            self.context.progress("imc", {"k": k})
            result = self._images(k)
            if result is not None:
                return result
        return Unknown(f"out of time at k = {k}")

    def _images(self, k: int) -> Result | None:
        """The answer, or None if an image reaches the query within k rules."""
        solver = self._interpolants(self._step(), self._suffix(k))
        reached: States = {}
        images = 0
        while self.context.remaining() > 0:
            # (facts(s_1) | reached(s_0) & T(s_0, s_1)) & T(s_1, s_2) & ... & query(s_d), d <= k + 1
            found = solver.interpolant(self._source(reached))
            if found is None:
                return self.base.reach(k) if not images else None
            image = {predicate: self._of_predicate(found, predicate) for predicate in self.predicates}
            images += 1
            self.context.statistics["images"] = self.context.statistics.get("images", 0) + 1
            if images > 1 and self._included(image, reached):
                return Safe(self._model(reached))
            reached = {p: self._joined(reached.get(p), formula) for p, formula in image.items()}
        return None

    def _interpolants(self, step: Sequence[Term], suffix: Sequence[Term]) -> InterpolatingSolver | GeneralInterpolants:
        try:
            return InterpolatingSolver(self.problem, step, suffix, self.context)
        except NoClauses:
            return GeneralInterpolants(self.problem, step, suffix, self.context)

    # -- the two sides

    def _fact_predicates(self) -> set[int]:
        rules = self.problem.rules[: self.problem.query]
        for head in range(len(rules)):
            if head not in self.unrolling.at[1] and any(not rule.body for rule in rules[head]):
                self.unrolling.open(head, 1)
        return {head for head, own in enumerate(rules) if any(not rule.body for rule in own)}

    def _step(self) -> list[Term]:
        """The state at depth 1 is a fact's, or follows from one at depth 0."""
        raw, unrolling, at = self.raw, self.unrolling, self.unrolling.at[1]
        out: list[Term] = []
        edges: dict[int, list[Term]] = {predicate: [] for predicate in self.predicates}
        for edge in unrolling.edges[1]:
            if edge.rule.head != self.problem.query:
                no = raw.negate(edge.literal)
                source = unrolling.at[0][edge.rule.body[0].predicate]
                out += [raw.disjunction([no, source]), raw.disjunction([no, edge.formula])]
                edges[edge.rule.head].append(edge.literal)
        for predicate in self.predicates:
            for rule in self.problem.rules[predicate]:
                if not rule.body:
                    literal = raw.literal("fact")
                    out.append(raw.disjunction([raw.negate(literal), self._fact(rule)]))
                    edges[predicate].append(literal)
        out += [raw.disjunction([raw.negate(at[p]), *literals]) for p, literals in edges.items()]
        here = [at[predicate] for predicate in self.predicates]
        out.append(raw.disjunction(here))
        out += [raw.negated_conjunction([one, other]) for i, one in enumerate(here) for other in here[:i]]
        return out

    def _fact(self, rule: Rule) -> Term:
        raw, state = self.raw, self.unrolling.state(rule.head, 1)
        formals = self.problem.formals[rule.head]
        own = raw.in_order(self.problem.projector.variables(rule.formula) - set(formals))
        pairs = [*zip(formals, state, strict=True), *((old, raw.fresh("f", raw.sort(old))) for old in own)]
        return Renaming(raw, pairs)(rule.formula)

    def _source(self, reached: Mapping[int, Term]) -> list[Term]:
        """The states at depth 0 are reached."""
        raw, unrolling = self.raw, self.unrolling
        out = []
        for predicate, at in unrolling.at[0].items():
            formula = reached.get(predicate)
            there = raw.false if formula is None else unrolling.at_depth(predicate, 0, formula)
            out.append(raw.disjunction([raw.negate(at), there]))
        return out

    def _suffix(self, k: int) -> list[Term]:
        """From the state at depth 1 some number of rules, at most k, lead to the query."""
        unrolling = self.unrolling
        unrolling.reach(k + 1)
        layers = [formula for layer in unrolling.layers[2 : k + 2] for formula in layer]
        ends = [at[self.problem.query] for at in unrolling.at[2 : k + 2] if self.problem.query in at]
        return [*layers, self.raw.disjunction(ends)]

    # -- images

    def _of_predicate(self, found: Term, predicate: int) -> Term:
        """The part of the interpolant about the predicate, over its formals."""
        raw, unrolling = self.raw, self.unrolling
        pairs = [(unrolling.at[1][other], raw.true if other == predicate else raw.false) for other in self.predicates]
        for other in self.predicates:
            if other != predicate:
                pairs += [(variable, self._default(variable)) for variable in unrolling.state(other, 1)]
        return raw.simplify(unrolling.lift(predicate, 1, Renaming(raw, pairs)(found)))

    def _default(self, variable: Term) -> Term:
        is_bool = self.raw.sort_kind(variable) == z3.Z3_BOOL_SORT
        return self.raw.false if is_bool else self.raw.numeral(0, self.raw.sort(variable))

    def _joined(self, old: Term | None, new: Term) -> Term:
        return new if old is None else self.raw.disjunction([old, new])

    def _included(self, image: Mapping[int, Term], reached: Mapping[int, Term]) -> bool:
        """True if every state of the image is reached already."""
        for predicate, formula in image.items():
            solver = RawSolver(self.raw)
            solver.add(formula)
            solver.add(self.raw.negate(reached.get(predicate, self.raw.false)))
            # image & not reached
            if solver.check() is not False:
                return False
        return True

    def _model(self, reached: Mapping[int, Term]) -> Model:
        main = z3.main_ctx()
        formulas: dict[int, Sequence[z3.BoolRef]] = {p: [self.raw.wrap(f, main)] for p, f in reached.items()}
        return Model({p: disjunction(formulas.get(number, ())) for p, number in self.problem.number.items()})
