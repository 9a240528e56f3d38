"""Paths of k rules through a linear problem, over raw handles, with a set of lemmas in all states but the last."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from chcverify.terms.native.raw import RawModel, RawSolver, Renaming, Term
from solvers.pdr.transition_system.rule_system import Rule, RuleSystem
from solvers.pdr.transition_system.transitions import SolverAnsweredUnknown

Step = tuple[Rule, tuple[Term, ...]]  # a rule and the values of its head's arguments


class RuleStep(NamedTuple):
    """One use of a rule, between the states at depth - 1 and depth; the literal implies the formula."""

    depth: int
    rule: Rule
    literal: Term
    formula: Term


class Unrolling:
    """T(s_0, s_1) & T(s_1, s_2) & ...: s_0 is any state of any predicate. Grows layer by layer and is kept."""

    def __init__(self, problem: RuleSystem) -> None:
        self.problem, self.raw = problem, problem.raw
        self.layers: list[list[Term]] = [[]]  # layers[d]: the relation between the states at d - 1 and d
        self.edges: list[list[RuleStep]] = [[]]
        self.at: list[dict[int, Term]] = [{}]  # per depth: predicate -> "the path is there"
        self._states: dict[tuple[int, int], tuple[Term, ...]] = {}
        self._instances: dict[tuple[int, int], Renaming] = {}
        self._lifts: dict[tuple[int, int], Renaming] = {}
        for predicate in range(problem.query):
            self.open(predicate, 0)

    def reach(self, depth: int) -> None:
        """Makes all layers up to `depth`."""
        while len(self.layers) <= depth:
            self._extend()

    def state(self, predicate: int, depth: int) -> tuple[Term, ...]:
        """The variables of the predicate's arguments at the depth."""
        return self._states[predicate, depth]

    def at_depth(self, predicate: int, depth: int, formula: Term) -> Term:
        """The formula, over the predicate's formals, about the state at `depth`."""
        return self._instances[predicate, depth](formula)

    def lift(self, predicate: int, depth: int, formula: Term) -> Term:
        """The inverse of `at_depth`."""
        return self._lifts[predicate, depth](formula)

    def open(self, predicate: int, depth: int) -> None:
        """Makes the variables of the predicate's state at the depth."""
        raw, formals = self.raw, self.problem.formals[predicate]
        self.at[depth][predicate] = raw.literal(f"at{predicate}.{depth}")
        state = tuple(raw.fresh(f"s{predicate}.{depth}", raw.sort(formal)) for formal in formals)
        self._states[predicate, depth] = state
        self._instances[predicate, depth] = Renaming(raw, zip(formals, state, strict=True))
        self._lifts[predicate, depth] = Renaming(raw, zip(state, formals, strict=True))

    def _extend(self) -> None:
        """at(head, d) => some edge; edge => at(body, d - 1) & the rule's formula over the states at d - 1 and d."""
        depth, raw = len(self.layers), self.raw
        self.layers.append([])
        self.edges.append([])
        self.at.append({})
        for head, rules in enumerate(self.problem.rules):
            usable = [rule for rule in rules if rule.body and rule.body[0].predicate in self.at[depth - 1]]
            if not usable:
                continue
            self.open(head, depth)
            edges = [
                RuleStep(depth, rule, raw.literal(f"e{rule.index}.{depth}"), self._instance(rule, depth))
                for rule in usable
            ]
            for edge in edges:
                source, no = self.at[depth - 1][edge.rule.body[0].predicate], raw.negate(edge.literal)
                self.layers[depth] += [raw.disjunction([no, source]), raw.disjunction([no, edge.formula])]
            self.layers[depth].append(raw.disjunction([raw.negate(self.at[depth][head]), *(e.literal for e in edges)]))
            self.edges[depth] += edges

    def _instance(self, rule: Rule, depth: int) -> Term:
        raw, block = self.raw, rule.body[0]
        pairs = list(zip(self.problem.formals[rule.head], self.state(rule.head, depth), strict=True))
        pairs += zip(block.constants, self.state(block.predicate, depth - 1), strict=True)
        named = {old for old, _ in pairs}
        own = raw.in_order(self.problem.projector.variables(rule.formula) - named)
        pairs += [(old, raw.fresh(f"i{rule.index}.{depth}", raw.sort(old))) for old in own]
        return Renaming(raw, pairs)(rule.formula)


class InductionStepCase:
    """T[F]^k: paths of exactly k rules; F, to which lemmas may be added, holds in s_0 ... s_(k-1)."""

    def __init__(self, unrolling: Unrolling, k: int, seed: int, rlimit: int) -> None:
        unrolling.reach(k)
        self.unrolling, self.k = unrolling, k
        parameters = {"arith.solver": unrolling.problem.arithmetic_solver, "random_seed": seed, "rlimit": rlimit}
        self.solver = RawSolver(unrolling.raw, parameters)
        for layer in unrolling.layers[: k + 1]:
            for formula in layer:
                self.solver.add(formula)

    def assume(self, predicate: int, formula: Term) -> None:
        """The formula, over the predicate's formals, joins F."""
        raw = self.unrolling.raw
        for depth in range(self.k):
            at = self.unrolling.at[depth].get(predicate)
            if at is not None:
                self.solver.add(raw.disjunction([raw.negate(at), self.unrolling.at_depth(predicate, depth, formula)]))

    def start_in(self, predicate: int, formula: Term) -> None:
        """Restricts s_0 to facts of the predicate in the formula."""
        raw, unrolling = self.unrolling.raw, self.unrolling
        for other, at in unrolling.at[0].items():
            self.solver.add(unrolling.at_depth(predicate, 0, formula) if other == predicate else raw.negate(at))

    def counterexample(self, predicate: int, cube: Sequence[Term]) -> RawModel | None:
        """A model of a path into the cube, or None; SolverAnsweredUnknown if z3 has no answer."""
        at = self.unrolling.at[self.k].get(predicate)
        if at is None:
            return None
        self.solver.push()
        try:
            # F(s_0) & T(s_0, s_1) & ... & F(s_(k-1)) & T(s_(k-1), s_k) & cube(s_k)
            answer = self.solver.check([at, *(self.unrolling.at_depth(predicate, self.k, part) for part in cube)])
            if answer is None:
                raise SolverAnsweredUnknown(f"z3 gave up on a path of {self.k} rules")
            return self.solver.model() if answer else None
        finally:
            self.solver.pop()

    def path(self, model: RawModel, predicate: int) -> list[Step]:
        """The model's path to the predicate, first rule first."""
        return [
            (rule, tuple(map(model.eval, self.unrolling.state(rule.head, depth))))
            for depth, rule, _, _ in reversed(list(self._edges(model, predicate)))
        ]

    def before(self, model: RawModel, predicate: int, cube: Sequence[Term]) -> tuple[int, tuple[Term, ...]]:
        """The predicate of the model's first state, and a cube of states from which the same rules lead into `cube`."""
        unrolling, problem = self.unrolling, self.unrolling.problem
        parts = [unrolling.at_depth(predicate, self.k, part) for part in cube]
        for edge in self._edges(model, predicate):
            parts.append(edge.formula)
            predicate = edge.rule.body[0].predicate
        # exists s_1 ... s_k. T(s_0, s_1) & ... & T(s_(k-1), s_k) & cube(s_k)
        literals = problem.projector.project(model, parts, unrolling.state(predicate, 0))
        return predicate, problem.cube([unrolling.lift(predicate, 0, literal) for literal in literals], predicate)

    def _edges(self, model: RawModel, predicate: int) -> Iterator[RuleStep]:
        """The edges of the model's path to the predicate, last one first."""
        for depth in range(self.k, 0, -1):
            edge = next(e for e in self.unrolling.edges[depth] if e.rule.head == predicate and model.holds(e.literal))
            yield edge
            predicate = edge.rule.body[0].predicate
