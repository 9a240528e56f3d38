"""IC3 over an implicit predicate abstraction, refined by counterexamples to induction.

Birgmeier, Bradley, Weissenbacher: Counterexample to induction-guided abstraction-refinement (CAV 2014). States are
concrete, what is learned from them is abstract: a lemma is a clause over a domain of formulas. The transition relation
stays concrete in all queries. Where a state is blocked but its abstraction is not, an interpolant refines the domain.
"""

from collections.abc import Mapping
from dataclasses import replace

from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Unknown
from chcverify.terms.native.raw import RawModel, RawSolver, Term
from solvers.ctigar.induction_counterexamples import State, States
from solvers.ctigar.predicate_abstraction import Abstraction
from solvers.engine import Context, Requirements
from solvers.pdr.engine import OutOfTime, PdrSearch
from solvers.pdr.lemmas.generalisation import Blocked
from solvers.pdr.reach_facts import NotGround, ReachFact
from solvers.pdr.transition_system.frames import FrameLemma
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.rule_system import Rule, RuleSystem, is_quantified
from solvers.pdr.transition_system.transitions import INFINITY

EAGER, LAZY = "eager", "lazy"


class Ctigar:
    """Engine `ctigar`. Options: refinement=eager|lazy, and those of `pdr` that make sense here."""

    name = "ctigar"
    description = "IC3 with implicit predicate abstraction, refined by counterexamples to induction"
    requires = Requirements(normal=True, linear=True)

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for anything but `refinement` and the options of `pdr`."""
        _options(given)

    def solve(self, system: HornSystem, context: Context) -> Result:
        try:
            options, refinement = _options(context.options)
        except ValueError as error:
            return Unknown(str(error))
        if is_quantified(system):
            return Unknown("ctigar does not take clauses with quantifiers")
        problem = RuleSystem(system, options)
        with problem.raw.interrupted_after(context.remaining()):
            return CtigarSearch(problem, options, context, refinement).run()


def _options(given: Mapping[str, str]) -> tuple[PdrOptions, str]:
    others = dict(given)
    refinement = others.pop("refinement", EAGER)
    if refinement not in (EAGER, LAZY):
        raise ValueError(f"ctigar option refinement is {EAGER} or {LAZY}, not {refinement!r}")
    return PdrOptions.parse(others), refinement


class CtigarSearch(PdrSearch):
    """The search of `pdr` with another blocking phase; frames, propagation and answers are shared."""

    def __init__(self, problem: RuleSystem, options: PdrOptions, context: Context, refinement: str) -> None:
        super().__init__(problem, options, context)
        self.abstraction = Abstraction(problem)
        self.lazy = refinement == LAZY
        self._plain = RawSolver(problem.raw, {"rlimit": options.rlimit})

    def _report(self) -> None:
        super()._report()
        self.context.statistics["formulas"] = sum(map(len, self.abstraction.domain))

    def _block_query(self, top: int) -> ReachFact | None:
        """Shows that the query is unreachable within the level, or returns a reach fact of it."""
        states = States()
        states.push(State(self.problem.query, (), top, 0))
        while states:
            if self.out_of_time():
                raise OutOfTime
            self.statistics.count("obligations")
            fact = self._step(states.top(), states)
            if fact is not None:
                return fact
        return None

    def _step(self, state: State, states: States) -> ReachFact | None:
        """One step for a state: a lemma, a state before it, a refinement, or the query's reach fact."""
        abstract = state.abstract(self.abstraction)
        transition = self.frames.transitions[state.predicate]
        # F_(level-1)(body) & not abstract state(body) & some rule & abstract state
        blocked = transition.blocked(state.level, abstract)
        if blocked is not None:
            self._exclude(state, blocked)
            states.pop()
            return None
        model = transition.counterexample
        if model is None or not (self.lazy or all(map(model.holds, state.cube))):
            answer = self._concrete(state)
            if not isinstance(answer, RawModel):
                self._refine(state, answer)
                return None
            model = answer
        return self._precede(state, model, states)

    def _concrete(self, state: State) -> RawModel | Blocked:
        """A step into the state's cube from the frame before, or literals that the cube implies and that have none."""
        transition = self.frames.transitions[state.predicate]
        transition.solver.push()
        try:
            # F_(level-1)(body) & some rule & cube
            if transition.check(state.level, state.cube):
                return transition.solver.model()
            return self._refutation(transition, state.level, state.cube)
        finally:
            transition.solver.pop()

    def _refine(self, state: State, blocked: Blocked) -> None:
        """The interpolant's literals join the domain: now the abstract state is blocked, too."""
        self.statistics.count("refinements")
        if not self.abstraction.refine(state.predicate, blocked[0]):
            self._exclude(state, blocked)  # the domain is fine enough, but z3 did not see it

    def _exclude(self, state: State, blocked: Blocked) -> None:
        cube, level = self.generalizer.generalise(state.predicate, blocked, state.level)
        if blocked[1] == INFINITY and level < INFINITY:
            self._learn(state.predicate, blocked[0], INFINITY, "block")
        lemma = self._learn(state.predicate, cube, level, "block")
        if self.guidance is not None and lemma is not None and lemma.level < INFINITY:
            self._widen(lemma)

    def _widen(self, lemma: FrameLemma) -> None:
        """Adds the literals that a cluster of lemmas suggests to the domain, and tries to block their conjunctions."""
        assert self.guidance is not None
        cluster = self.guidance.note(lemma.predicate, lemma.cube)
        for cube in self.guidance.proposals(cluster) if cluster is not None else ():
            self.statistics.count("guidance tried")
            self.abstraction.refine(lemma.predicate, cube)
            blocked = self.frames.transitions[lemma.predicate].blocked(lemma.level, cube)
            if blocked is not None:
                self.statistics.count("guidance done")
                core, level = self.generalizer.generalise(lemma.predicate, blocked, lemma.level)
                self._learn(lemma.predicate, core, level, "guidance")
                return

    def _precede(self, state: State, model: RawModel, states: States) -> ReachFact | None:
        """The model is a step into the state, or at least into its abstract state."""
        rule = self.frames.transitions[state.predicate].rule_of(model)
        real = all(map(model.holds, state.cube))
        if rule.body:
            states.push(self._lifted(state, model, rule, real))
            return None
        if real and state.is_real:
            return self._reached(state, model, rule)
        # A chain of abstract steps from the facts: where it is not one of concrete steps, the domain is too coarse.
        link = state if not real else state.last_abstract_step()
        assert link is not None
        states.drop_before(link)
        answer = self._concrete(link)
        if isinstance(answer, RawModel):
            return self._precede(link, answer, states)
        self._refine(link, answer)
        return None

    def _lifted(self, state: State, model: RawModel, rule: Rule, real: bool) -> State:
        """The state before, lifted: from all of its cube the rule leads into the state (or its abstract state)."""
        block = rule.body[0]
        target = state.cube if real else tuple(state.abstract(self.abstraction))
        # exists head. rule & target
        literals = self.problem.projector.project(model, [rule.formula, *target], block.constants)
        cube = self.problem.cube([block.lift(literal) for literal in literals], block.predicate)
        before = State(block.predicate, cube, state.level - 1, state.depth + 1, state, rule, real, model, block)
        core = self._core(before.abstract(self.abstraction), cube)
        return before if core is None else replace(before, cube=core)

    def _core(self, abstract: list[Term], cube: tuple[Term, ...]) -> tuple[Term, ...] | None:
        """The formulas of the domain that are enough to imply the cube; None if all are not."""
        solver, raw = self._plain, self.problem.raw
        solver.push()
        try:
            solver.add(raw.negated_conjunction(cube))
            # abstract state & not cube
            if solver.check(abstract) is not False:
                self.statistics.count("lifting failed")
                return None
            core = set(solver.core())
            return tuple(literal for literal in abstract if literal in core)
        finally:
            solver.pop()

    def _reached(self, state: State, model: RawModel, rule: Rule) -> ReachFact:
        """The reach fact of the query at the end of the state's chain; the model is a fact in the state."""
        fact = self.predecessors.reach(model, rule, {})
        while state.towards is not None:
            assert state.rule is not None
            fact = self._follow_rule(fact, state, state.rule, state.towards)
            state = state.towards
        return fact

    def _follow_rule(self, fact: ReachFact, state: State, rule: Rule, towards: State) -> ReachFact:
        """The reach fact that the rule derives from a fact of the state, within the state that it leads to."""
        solver, block = self.frames.transitions[rule.head].solver, rule.body[0]
        solver.push()
        try:
            # fact(body) & state(body) & rule & towards(head)
            parts = [block.to_body(part) for part in (fact.formula, *state.cube)]
            if not solver.check([rule.tag, *parts, *towards.cube]):
                raise NotGround("a lifted state does not lead on")
            model = solver.model()
        finally:
            solver.pop()
        values = tuple(map(model.eval, self.problem.formals[rule.head]))
        point = [self.problem.raw.equation(f, v) for f, v in zip(self.problem.formals[rule.head], values, strict=True)]
        return ReachFact(rule.head, self.problem.raw.conjunction(point), rule, (fact,), values)
