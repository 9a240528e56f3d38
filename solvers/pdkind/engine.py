"""Property-directed k-induction.

Jovanovic, Dutertre: Property-directed k-induction (FMCAD 2016) [JovanovicDutertre2016]. Induction and reachability are
separate: an induction frame at n is a set of lemmas that hold in all facts derivable with n + 1 rules, each with the
counterexample that it excludes. It is pushed by k-induction; the reachability checker decides about obstacles.
Deviations: docs/engines/pdkind.md.
"""

from collections.abc import Mapping
from dataclasses import replace

import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.model import Model
from chcverify.effort import FEW
from chcverify.horn.system import HornSystem
from chcverify.results.result import Result, Safe, Unknown, Unsafe
from chcverify.terms.core.traversal import conjunction
from chcverify.terms.native.raw import RawError
from solvers.engine import Context, Requirements
from solvers.pdkind.induction_frames import Element, Push, Violation
from solvers.pdkind.inductive_strengthening import inductive_clauses
from solvers.pdkind.reachability import Reachability
from solvers.pdkind.rule_paths import InductionStepCase, Step, Unrolling
from solvers.pdr.engine import OutOfTime
from solvers.pdr.lemmas.generalisation import Generalizer
from solvers.pdr.reach_facts import NotGround, ReachFact
from solvers.pdr.transition_system.frames import Frames
from solvers.pdr.transition_system.pdr_options import PdrOptions
from solvers.pdr.transition_system.rule_system import RuleSystem, has_quantifier
from solvers.pdr.transition_system.transitions import SolverAnsweredUnknown


class PdKind:
    """Engine `pdkind`. Options: depth (the greatest k), and those of `pdr` for the reachability checker."""

    name = "pdkind"
    description = "property-directed k-induction: induction frames and a reachability checker"
    requires = Requirements(normal=True, linear=True)

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for anything but `depth` and the options of `pdr`."""
        self._options(given)

    def solve(self, system: HornSystem, context: Context) -> Result:
        try:
            options, depth = self._options(context.options)
        except ValueError as error:
            return Unknown(str(error))
        if has_quantifier(system):
            return Unknown("pdkind does not take clauses with quantifiers")
        problem = RuleSystem(system, options)
        with problem.raw.interrupted_after(context.remaining()):
            return PdKindRun(problem, options, context, depth).run()

    def _options(self, given: Mapping[str, str]) -> tuple[PdrOptions, int]:
        others = dict(given)
        depth = _depth(others.pop("depth", str(FEW)))
        return PdrOptions.parse(others), depth


def _depth(text: str) -> int:
    if not text.isdigit() or int(text) < 1:
        raise ValueError(f"pdkind option depth is a number from 1, not {text!r}")
    return int(text)


class PdKindRun:
    """One run: the induction frame and its level."""

    def __init__(self, problem: RuleSystem, options: PdrOptions, context: Context, depth: int) -> None:
        self.problem, self.options, self.context, self.depth = problem, options, context, depth
        self.reachability = Reachability(problem, options, context)
        self.unrolling = Unrolling(problem)
        self.level = 0

    def run(self) -> Result:
        """The answer; Unknown with the reason if the time is over or z3 has no answer."""
        try:
            return self._search()
        except OutOfTime:
            return Unknown(self._late())
        except (SolverAnsweredUnknown, RawError, NotGround, z3.Z3Exception) as error:
            return Unknown(self._late() if self.reachability.out_of_time() else str(error))
        finally:
            self.reachability.finish()
            self.context.statistics["level"] = self.level

    def _late(self) -> str:
        return f"out of time at induction frame {self.level}"

    def _search(self) -> Result:
        """The main procedure: pushes the induction frame level by level, until it is closed or a violation is
        reached.
        """
        query = self.problem.query
        answer = self.reachability.exclude(query, (), 0)
        if isinstance(answer, ReachFact):
            return Unsafe(self.reachability.derivation(answer, []))
        frame = [Element(((query, ()),), query, ())]
        while True:
            self.reachability.advance(self.level)
            self.reachability.exchange()
            k = min(self.level + 1, self.depth)
            self.context.progress("pdkind", {"frame": self.level, "k": k, "lemmas": len(frame)})
            push = Push(self.reachability, self._step_case(k), self.level, frame)
            push.assume((lemma.predicate, lemma.cube) for lemma in self.reachability.invariants())
            result = push.run(self._check_time)
            if isinstance(result, Violation):
                return Unsafe(self._derivation(result))
            if result.closed:
                return Safe(self._model(result.elements))
            frame = result.elements
            self.level += 1

    def _step_case(self, k: int) -> InductionStepCase:
        return InductionStepCase(self.unrolling, k, self.context.seed, self.options.rlimit)

    def _check_time(self) -> None:
        if self.reachability.out_of_time():
            raise OutOfTime

    def _model(self, elements: list[Element]) -> Model:
        """The inductive model from the elements' lemmas and all invariants, which are k-inductive together."""
        clauses = {clause: None for element in elements for clause in element.lemma}
        clauses |= {(lemma.predicate, lemma.cube): None for lemma in self.reachability.invariants()}
        frames = Frames(self.problem, self.options, self.context.seed)
        generalizer = Generalizer(
            self.problem, frames, replace(self.options, interpolation=False), self.reachability.statistics
        )
        inductive_clauses(frames, generalizer, list(clauses), self._check_time)
        raw, main = self.problem.raw, z3.main_ctx()
        return Model(
            {
                predicate: conjunction(raw.wrap(lemma.formula, main) for lemma in frames.lemmas[number])
                for predicate, number in self.problem.number.items()
            }
        )

    def _derivation(self, violation: Violation) -> Derivation:
        """The derivation from the reach fact along the counterexamples, link by link, to the query."""
        steps: list[Step] = []
        raw, fact, element = self.problem.raw, violation.fact, violation.element
        start = raw.conjunction([fact.formula, *element.cex])
        while element.towards is not None:
            goal = element.towards
            case = self._step_case(element.steps)
            case.start_in(element.predicate, start)
            # start(s_0) & T(s_0, s_1) & ... & T(s_(k-1), s_k) & counterexample(s_k)
            model = case.counterexample(goal.predicate, goal.cex)
            if model is None:
                raise NotGround("a counterexample does not lead to the query")
            steps += case.path(model, goal.predicate)
            formals, values = self.problem.formals[goal.predicate], steps[-1][1]
            start = raw.conjunction([raw.equation(f, v) for f, v in zip(formals, values, strict=True)])
            element = goal
        return self.reachability.derivation(fact, steps)
