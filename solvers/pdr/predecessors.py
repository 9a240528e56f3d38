"""Expansion of a satisfiable obligation: a new reach fact, or a predecessor obligation for one body atom."""

from collections.abc import Sequence

from chcverify.terms.native.raw import RawModel, Term
from solvers.pdr.lemmas.global_guidance import Guidance
from solvers.pdr.reach_facts import ReachFact
from solvers.pdr.transition_system.frames import Frames
from solvers.pdr.transition_system.rule_system import BodyAtom, Rule, RuleSystem
from solvers.pdr.transition_system.transitions import TransitionSolver


class Predecessors:
    """May and must summaries of body atoms: atoms are refined one at a time, those with reach facts first.

    Komuravelli, Gurfinkel, Chaki: SMT-based model checking for recursive programs (CAV 2014)
    [KomuravelliGurfinkelChaki2014], section 4.
    """

    def __init__(self, problem: RuleSystem, frames: Frames, guidance: Guidance | None) -> None:
        self.problem, self.raw, self.frames, self.guidance = problem, problem.raw, frames, guidance
        self.facts: list[list[ReachFact]] = [[] for _ in problem.names]
        self._known: set[tuple[int, Term]] = set()
        for rules in problem.rules:
            for rule in rules:
                self._state_fact(rule)

    def _state_fact(self, rule: Rule) -> None:
        """A rule without body atoms and without constants of its own is a reach fact as it stands."""
        formals = self.problem.formals[rule.head]
        if rule.body or not formals or rule.formula == self.raw.false:
            return
        if self.problem.projector.variables(rule.formula) <= set(formals):
            self.add(ReachFact(rule.head, rule.formula, rule, (), ()))

    def add(self, fact: ReachFact) -> None:
        """Adds the reach fact to the solvers of all rules that have its predicate in the body."""
        if (fact.predicate, fact.formula) in self._known:
            return
        self._known.add((fact.predicate, fact.formula))
        self.facts[fact.predicate].append(fact)
        for reader, block in self.problem.readers[fact.predicate]:
            self.frames.transitions[reader].add_reach_fact(block, fact.formula)

    def prefer_facts(
        self, transition: TransitionSolver, level: int, cube: Sequence[Term], model: RawModel, rule: Rule
    ) -> tuple[RawModel, dict[BodyAtom, ReachFact]]:
        """A model of the same rule in which as many body atoms as possible lie in reach facts, and these facts.

        The solver must be in the scope of the satisfiable query, F_(level-1)(bodies) & rule & cube, of the model.
        """
        wanted = [transition.must[block] for block in rule.body if block in transition.must]
        while wanted:
            # F_(level-1)(bodies) & this rule & cube & reach facts(some bodies)
            answer = transition.solver.check([*transition.frame(level), rule.tag, *cube, *wanted])
            if answer:
                model = transition.solver.model()
                break
            if answer is None:
                break
            core = set(transition.solver.core())
            dropped = next((literal for literal in reversed(wanted) if literal in core), None)
            if dropped is None:
                break
            wanted.remove(dropped)
        return model, self.facts_of(model, rule)

    def facts_of(self, model: RawModel, rule: Rule) -> dict[BodyAtom, ReachFact]:
        """The body atoms whose values in the model lie in a reach fact, with that fact."""
        found = {}
        for block in rule.body:
            for fact in self.facts[block.predicate]:
                if model.holds(block.to_body(fact.formula)):
                    found[block] = fact
                    break
        return found

    def reach(self, model: RawModel, rule: Rule, facts: dict[BodyAtom, ReachFact]) -> ReachFact:
        """The head's facts that the rule derives from these facts of all its body atoms, around the model."""
        problem = self.problem
        formals = problem.formals[rule.head]
        # exists bodies. rule & facts(bodies)
        parts = [rule.formula, *(block.to_body(facts[block].formula) for block in rule.body)]
        literals = problem.projector.project(model, parts, formals)
        premises = tuple(facts[block] for block in rule.body)
        point = tuple(model.eval(formal) for formal in formals)
        return ReachFact(rule.head, self.raw.conjunction(literals), rule, premises, point)

    def predecessor(
        self, model: RawModel, rule: Rule, facts: dict[BodyAtom, ReachFact], level: int, cube: Sequence[Term]
    ) -> tuple[BodyAtom, tuple[Term, ...]]:
        """A body atom that no reach fact covers, and a cube of its facts from which the rule may reach the cube."""
        target = next(block for block in rule.body if block not in facts)
        # exists all but target. rule & cube & facts or F_(level-1) of the other bodies
        parts = [rule.formula, *cube]
        for block in rule.body:
            if block in facts:
                parts.append(block.to_body(facts[block].formula))
            elif block is not target:
                parts.extend(block.to_body(lemma.formula) for lemma in self.frames.at(block.predicate, level - 1))
        literals = self.problem.projector.project(model, parts, target.constants)
        before = self.problem.cube([target.lift(literal) for literal in literals], target.predicate)
        if self.guidance is not None:
            before = tuple(self.guidance.concretise(target.predicate, before, model, target.to_body))
        return target, before
