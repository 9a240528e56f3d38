"""Which steps of two threads commute: behind both of them the state is the same, whichever comes first.

A step `later` of one thread may be taken before a step `first` of another one if from every state each execution of
`first; later` is one of `later; first` with the same inputs and the same last state. A failure of a step counts as one
more step. What is claimed is a formula; clauses say that no state violates it.
"""

from collections.abc import Iterable, Mapping, Sequence

import z3

from chcverify.effort import QUESTION_RESOURCES
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, free_variables, name_of
from encoders.c.analysis.storage import StateVariable
from encoders.c.concurrency.step_paths import StepFailure, StepsOfThread, ThreadStep
from encoders.c.concurrency.thread_clauses import ThreadClauses


@dataclass(frozen=True, eq=False)
class Footprint:
    """The names of the variables that a step, or a failure of it, reads and writes."""

    reads: frozenset[str]
    writes: frozenset[str]

    def is_apart_from(self, other: "Footprint") -> bool:
        """True if neither writes what the other one uses."""
        return self.writes.isdisjoint(other.reads | other.writes) and other.writes.isdisjoint(self.reads)


class Commutation:
    """Answers questions about the steps of a program's threads, each once, and keeps the claims that answers rest on.

    flags: variables whose values are known where a question is asked.
    """

    def __init__(self, clauses: ThreadClauses, found: Sequence[StepsOfThread], flags: Sequence[StateVariable]) -> None:
        self.clauses = clauses
        self.steps = [_by_source(steps.steps) for steps in found]
        self.failures = [_failures_by_source(steps.failures) for steps in found]
        self.flags = {str(clauses.constant(flag)): flag for flag in flags}
        self.claims: list[z3.BoolRef] = []
        self._functions = {step: steps.thread.function.name for steps in found for step in steps.steps}
        self._values: dict[ThreadStep, dict[StateVariable, z3.ExprRef]] = {}
        self._footprints: dict[ThreadStep | StepFailure, Footprint] = {}
        self._known: dict[tuple[object, ...], bool] = {}
        self._solver = z3.Solver()
        self._solver.set("rlimit", QUESTION_RESOURCES)

    def may_come_first(
        self, thread: int, location: int, step: ThreadStep, values: Mapping[StateVariable, z3.ExprRef]
    ) -> bool:
        """True if all steps of a thread from a location, and what may fail there, may be taken before a step of another
        thread. values: those of the flags before both steps."""
        later: list[ThreadStep | StepFailure] = [*self.steps[thread].get(location, ())]
        later += self.failures[thread].get(location, ())
        return all(self._commutes(step, each, values) for each in later)

    def footprint(self, step: ThreadStep | StepFailure) -> Footprint:
        """What a step uses."""
        if step not in self._footprints:
            self._footprints[step] = self._made_footprint(step)
        return self._footprints[step]

    def changed(self, step: ThreadStep) -> dict[StateVariable, z3.ExprRef]:
        """What a step changes, without locals of its thread that nothing reads behind it."""
        if step not in self._values:
            live, function = self.clauses.live[step.target], self._functions[step]
            self._values[step] = {
                variable: term
                for variable, term in step.values.items()
                if (variable.owner != function or live >> variable.index & 1)
                and not term.eq(self.clauses.constant(variable))
            }
        return self._values[step]

    def _made_footprint(self, step: ThreadStep | StepFailure) -> Footprint:
        changed = self.changed(step) if isinstance(step, ThreadStep) else {}
        reads = frozenset(map(name_of, free_variables(*step.guard, *changed.values())))
        return Footprint(reads, frozenset(name_of(self.clauses.constant(variable)) for variable in changed))

    def _commutes(
        self, first: ThreadStep, later: ThreadStep | StepFailure, values: Mapping[StateVariable, z3.ExprRef]
    ) -> bool:
        one, two = self.footprint(first), self.footprint(later)
        if one.is_apart_from(two):
            return True
        names = one.reads | one.writes | two.reads | two.writes
        known = {flag: values[flag] for name, flag in self.flags.items() if name in names and flag in values}
        key = first, later, *((flag, value.get_id()) for flag, value in known.items())
        if key not in self._known:
            pairs = [(self.clauses.constant(flag), value) for flag, value in known.items()]
            claim = z3.substitute(self.violation(first, later), *pairs)
            self._known[key] = self._never_holds(claim)
            if self._known[key]:
                self.claims.append(claim)
        return self._known[key]

    def _never_holds(self, claim: z3.BoolRef) -> bool:
        self._solver.push()
        self._solver.add(claim)
        answer = self._solver.check()
        self._solver.pop()
        return bool(answer == z3.unsat)

    def violation(self, first: ThreadStep, later: ThreadStep | StepFailure) -> z3.BoolRef:
        """That a state, with inputs, has an execution of both steps in this order which is none in the other one."""
        constant = self.clauses.constant
        once = self.changed(first)
        behind_first = self._pairs(once)
        there = [z3.substitute(part, *behind_first) for part in later.guard]
        both = [*self._ranges(first, later), *first.guard, *there]
        if isinstance(later, StepFailure):
            return conjunction([*both, z3.Not(conjunction(later.guard))])
        then = self.changed(later)
        behind_later = self._pairs(then)
        same = [*later.guard, *(z3.substitute(part, *behind_later) for part in first.guard)]
        for variable in {**once, **then}:
            one = z3.substitute(then.get(variable, constant(variable)), *behind_first)
            other = z3.substitute(once.get(variable, constant(variable)), *behind_later)
            if not one.eq(other):
                same.append(one == other)
        return conjunction([*both, z3.Not(conjunction(same))])

    def _pairs(self, values: Mapping[StateVariable, z3.ExprRef]) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
        return [(self.clauses.constant(variable), term) for variable, term in values.items()]

    def _ranges(self, *steps: ThreadStep | StepFailure) -> Iterable[z3.BoolRef]:
        """That the variables that steps use have values of their types, as in all states."""
        names = frozenset[str]().union(*(self.footprint(step).reads | self.footprint(step).writes for step in steps))
        for variable, term in list(self.clauses.constants.items()):
            if name_of(term) in names:
                bound = self.clauses.range(variable, term)
                if bound is not None:
                    yield bound


def _by_source(steps: Iterable[ThreadStep]) -> dict[int, list[ThreadStep]]:
    found: dict[int, list[ThreadStep]] = {}
    for step in steps:
        found.setdefault(step.source, []).append(step)
    return found


def _failures_by_source(failures: Iterable[tuple[int, StepFailure]]) -> dict[int, list[StepFailure]]:
    found: dict[int, list[StepFailure]] = {}
    for source, failure in failures:
        found.setdefault(source, []).append(failure)
    return found
