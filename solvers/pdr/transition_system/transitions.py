"""One incremental solver per head predicate: its rules, and lemmas and reach facts of their body predicates.

Permanent assertions: tag => rule; a rule's tag implies that its body blocks are used; lemmas of body predicates under
`used block` and a literal of their level (none for invariants); reach facts of body predicates under a chain of `must`
literals. Temporary formulas live between push and pop, with the atoms of the cube in question as assumptions.
"""

from collections.abc import Sequence

from chcverify.terms.native.farkas_proofs import FarkasLemma
from chcverify.terms.native.raw import RawModel, RawSolver, Term
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.proof_solver import ProofProducingCopy
from solvers.pdr.transition_system.rule_system import BodyAtom, Rule, RuleSystem

INFINITY = 1 << 30


class SolverAnsweredUnknown(Exception):
    """Raised if z3 answers unknown to a query that needs an answer."""


class TransitionSolver:
    """The rules of one predicate. F_i holds all facts with derivations of depth up to i+1; F_-1 is empty."""

    def __init__(self, problem: RuleSystem, predicate: int, options: PdrOptions, seed: int) -> None:
        self.problem, self.predicate, self.raw = problem, predicate, problem.raw
        self.rules = problem.rules[predicate]
        self.options = options
        self.levels: dict[int, Term] = {}
        self.level_of: dict[Term, int] = {}
        self.base = self.raw.literal("base")
        self.used: dict[BodyAtom, Term] = {}
        self.must: dict[BodyAtom, Term] = {}
        self.self_blocks: list[BodyAtom] = []
        self.counterexample: RawModel | None = None
        self.permanent: list[Term] = []
        parameters = {"arith.solver": problem.arithmetic_solver, "random_seed": seed, "rlimit": options.rlimit}
        self.solver = RawSolver(self.raw, parameters)
        self._assert_rules()
        self._mirror: ProofProducingCopy | None = None

    def _add(self, formula: Term) -> None:
        """Asserts permanently; never inside push and pop."""
        self.permanent.append(formula)
        self.solver.add(formula)

    def _assert_rules(self) -> None:
        raw = self.raw
        for rule in self.rules:
            self._add(raw.disjunction([raw.negate(rule.tag), rule.formula]))
            for block in rule.body:
                if block not in self.used:
                    self.used[block] = raw.literal("use")
                    if block.predicate == self.predicate:
                        self.self_blocks.append(block)
                self._add(raw.disjunction([raw.negate(rule.tag), self.used[block]]))
            if rule.body:
                self._add(raw.disjunction([raw.negate(self.base), raw.negate(rule.tag)]))
        self._add(raw.disjunction([rule.tag for rule in self.rules]))

    # -- lemmas and reach facts of body predicates

    def add_lemma(self, block: BodyAtom, formula: Term, level: int) -> None:
        """Adds a lemma of a body predicate: formula, over its formals, holds in its frames up to the level."""
        raw = self.raw
        clause = [raw.negate(self.used[block])]
        if level < INFINITY:
            if level not in self.levels:
                literal = raw.literal(f"level{level}")
                self.levels[level], self.level_of[literal] = literal, level
            clause.append(raw.negate(self.levels[level]))
        self._add(raw.disjunction([*clause, block.to_body(formula)]))

    def add_reach_fact(self, block: BodyAtom, formula: Term) -> None:
        """Adds derivable facts of a body predicate: all facts in the formula. must_k => fact_k or must_(k-1)."""
        raw = self.raw
        literal = raw.literal("must")
        options = [block.to_body(formula)]
        if block in self.must:
            options.append(self.must[block])
        self._add(raw.disjunction([raw.negate(literal), *options]))
        self.must[block] = literal

    # -- queries

    def frame(self, level: int) -> list[Term]:
        """Assumptions that put the bodies into F_(level-1)."""
        if level == 0:
            return [self.base]
        return [literal for at, literal in self.levels.items() if at >= level - 1]

    def check(self, level: int, cube: Sequence[Term], extra: Sequence[Term] = ()) -> bool:
        """True if a rule instance has its body in F_(level-1), the extra formulas true and its head in the cube.

        F_(level-1)(bodies) & some rule & extra & cube. Raises SolverAnsweredUnknown if z3 has no answer. Must be called
        inside push and pop.
        """
        answer = self.solver.check([*self.frame(level), *extra, *cube])
        if answer is None:
            raise SolverAnsweredUnknown(f"z3 gave up on a query for {self.problem.names[self.predicate]}")
        return answer

    def blocked(self, level: int, cube: Sequence[Term], with_model: bool = True) -> tuple[list[Term], int] | None:
        """The literals that make the cube unreachable from F_(level-1) and their level; None if it is reachable.

        F_(level-1)(bodies) & not cube(bodies of the same predicate) & some rule & cube. None if this is satisfiable
        (then `counterexample` is a model, if with_model: a model costs as much as half a check) or z3 has no answer.
        """
        solver, self.counterexample = self.solver, None
        solver.push()
        try:
            self.assume_absent(cube)
            answer = solver.check([*self.frame(level), *cube])
            if answer is False:
                return self.small_core(cube)
            if answer and with_model:
                self.counterexample = solver.model()
            return None
        finally:
            solver.pop()

    def assume_absent(self, cube: Sequence[Term]) -> None:
        """Asserts the cube's negation for the body atoms of the head's own predicate."""
        clause = self.raw.negated_conjunction(cube)
        for block in self.self_blocks:
            self.solver.add(self.raw.disjunction([self.raw.negate(self.used[block]), block.to_body(clause)]))

    def core(self, cube: Sequence[Term]) -> tuple[list[Term], int]:
        """The literals of the cube in the core of the last unsatisfiable check, and the level that it justifies."""
        core = set(self.solver.core())
        frames = [self.level_of[literal] for literal in core if literal in self.level_of]
        level = 0 if self.base in core else min(frames) + 1 if frames else INFINITY
        return [literal for literal in cube if literal in core], level

    def small_core(self, cube: Sequence[Term]) -> tuple[list[Term], int]:
        """`core`, computed again for its own literals as long as that makes it smaller.

        Checks that end in a refutation are cheap. Each literal less saves an attempt to drop it, which mostly ends in a
        model, and such checks are expensive.
        """
        literals, level = self.core(cube)
        while self.options.shrink and len(literals) > 1:
            # F_(level-1)(bodies) & some rule & the core, in the scope of the last check
            if self.solver.check([*self.frame(level), *literals]) is not False:
                break
            smaller, higher = self.core(literals)
            if len(smaller) == len(literals):
                break
            literals, level = smaller, higher
        return literals, level

    def farkas(self, level: int, cube: Sequence[Term]) -> list[FarkasLemma]:
        """The Farkas lemmas of a proof that the cube is unreachable from F_(level-1)."""
        if self._mirror is None:
            self._mirror = ProofProducingCopy(self.raw, self.problem.proofs, self.permanent)
        return self._mirror.farkas([*self.frame(level), *cube])

    def rule_of(self, model: RawModel) -> Rule:
        """A rule that the model uses."""
        for rule in self.rules:
            if model.holds(rule.tag):
                return rule
        raise SolverAnsweredUnknown("z3's model uses no rule")
