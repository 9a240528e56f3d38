"""What shared variables and locals are at the locations of threads, where that is a constant or the thread's number.

Constant propagation over conditions (Wegman, Zadeck, TOPLAS 1991), together with the steps of other threads: a step is
seen from a location only if both threads' values, and the step's guard, agree. So a thread that holds a lock, whose
owner is the thread's number, sees no step of another one that has to hold the lock, or takes it. The result is a part
of an inductive invariant of the thread-modular clauses, found without a solver; whoever uses it has it checked.
"""

from collections.abc import Callable, Iterable, Sequence

import z3

from chcverify.horn.system import Predicate
from chcverify.terms.core.traversal import conjunction, name_of
from encoders.c.analysis.storage import StateVariable
from encoders.c.concurrency.flat_threads import MAX_CREATED, NEXT_THREAD, FlatThread
from encoders.c.concurrency.step_paths import StepsOfThread, ThreadStep
from encoders.c.concurrency.thread_clauses import ThreadClauses
from encoders.c.encoding.program_start import InitialRun
from encoders.c.types.c_types import INT

Values = dict[StateVariable, z3.ExprRef]
Pairs = list[tuple[z3.ExprRef, z3.ExprRef]]
_OWN, _OTHER = MAX_CREATED + 1, MAX_CREATED + 2  # stand for the numbers of two instances of templates; no thread's


class KnownValues:
    """The values at each location of the threads that runs come to, from below.

    own: the variable that holds the number of each instance of a template. alone: where there is no other thread.
    """

    def __init__(
        self,
        clauses: ThreadClauses,
        found: Sequence[StepsOfThread],
        own: Callable[[FlatThread], StateVariable | None],
        alone: frozenset[int],
    ) -> None:
        self.clauses, self.found, self.alone = clauses, found, alone
        self.own = {steps.thread: own(steps.thread) for steps in found}
        self.at: dict[int, Values] = {}
        """Of the locations that are reached."""
        self._names: dict[str, StateVariable] = {}

    def find(self, initial: InitialRun) -> None:
        """Fills `at`."""
        given = {**initial.values, **self.clauses.ghosts}
        values = ((variable, z3.simplify(term)) for variable, term in given.items() if not variable.is_array)
        self.at[initial.location] = {variable: value for variable, value in values if _is_literal(value)}
        while any([*map(self._own_steps, self.found), *map(self._seen_steps, self.found)]):
            pass

    # --- steps ------------------------------------------------------------------------------------------------------

    def _own_steps(self, steps: StepsOfThread) -> bool:
        """Adds what the steps of a thread lead to; True if that is something new."""
        is_new, is_again = False, True
        while is_again:
            is_again = False
            for step in steps.steps:
                before = self.at.get(step.source)
                passed = None if before is None else self._passed(step, self._pairs(steps.thread, before))
                if before is None or passed is None:
                    continue
                refined, pairs = passed
                after = {**before, **refined, **self._changed(step, pairs)}
                kept = {variable: value for variable, value in after.items() if value is not None}
                is_again |= self._join(step.target, kept)
                for created in step.created:
                    theirs = {v: value for v, value in kept.items() if v in step.values or v.owner is None}
                    seen = {v: value for v, value in theirs.items() if _number(value) != _OWN}
                    is_again |= self._join(created.function.entry, seen)
            is_new |= is_again
        return is_new

    def _seen_steps(self, acting: StepsOfThread) -> bool:
        """Takes away what the steps of a thread change for others; True if that is anything."""
        is_new = False
        for step in acting.steps:
            before = self.at.get(step.source)
            if before is None or step.source in self.alone:
                continue
            written = [variable for variable in step.values if variable.owner is None]
            for other in self.found:
                if other is acting and not acting.thread.is_template:
                    continue
                for location in other.visible - self.alone:
                    seen = self.at.get(location)
                    if seen is not None and any(variable in seen for variable in written):
                        is_new |= self._seen(step, self._pairs(acting.thread, before), location, written)
        return is_new

    def _seen(self, step: ThreadStep, pairs: Pairs, location: int, written: Iterable[StateVariable]) -> bool:
        """Takes away what a step changes at a location of another thread."""
        seen = self.at[location]
        theirs = {v: self._renumbered(v, value) for v, value in seen.items() if v.owner is None}
        known = {name_of(name): value for name, value in pairs}
        for variable, value in theirs.items():
            mine = known.get(name_of(self.clauses.constant(variable)))
            if mine is not None and not mine.eq(value):
                return False
        fixed = self.clauses.fixed
        both = [*pairs, *((self.clauses.constant(v), value) for v, value in theirs.items() if v not in fixed)]
        passed = self._passed(step, both)
        if passed is None:
            return False
        changed = self._changed(step, passed[1])
        lost = [v for v in written if v in seen and not _is_same(changed.get(v, theirs[v]), theirs[v])]
        self.at[location] = {variable: value for variable, value in seen.items() if variable not in lost}
        return bool(lost)

    def _renumbered(self, variable: StateVariable, value: z3.ExprRef) -> z3.ExprRef:
        return self._literal(_OTHER, variable) if _number(value) == _OWN else value

    def _literal(self, number: int, variable: StateVariable) -> z3.ExprRef:
        sort = self.clauses.constant(variable).sort()
        return z3.BitVecVal(number, sort) if isinstance(sort, z3.BitVecSortRef) else z3.IntVal(number)

    def _variable(self, term: z3.ExprRef) -> StateVariable | None:
        """The variable that a constant stands for."""
        if len(self._names) != len(self.clauses.constants):
            self._names = {name_of(term): variable for variable, term in self.clauses.constants.items()}
        return self._names.get(name_of(term))

    def _pairs(self, thread: FlatThread, values: Values) -> Pairs:
        """What replaces the variables in terms of a thread."""
        fixed = self.clauses.fixed
        pairs = [
            (self.clauses.constant(variable), value) for variable, value in values.items() if variable not in fixed
        ]
        own = self.own[thread]
        if own is not None:
            pairs.append((self.clauses.constant(own), self._literal(_OWN, own)))
        return pairs

    def _passed(self, step: ThreadStep, pairs: Pairs) -> tuple[Values, Pairs] | None:
        """What the guard of a step says of variables, and the pairs with that; None if it does not hold."""
        parts = [z3.simplify(z3.substitute(part, *pairs)) for part in step.guard]
        refined: Values = {}
        for part in parts:
            if z3.is_false(part):
                return None
            if z3.is_eq(part) and any(map(_is_literal, part.children())):
                value, name = sorted(part.children(), key=_is_literal, reverse=True)
                variable = None if _is_literal(name) else self._variable(name)
                if variable is not None:
                    refined[variable] = value
        more = [(self.clauses.constant(variable), value) for variable, value in refined.items()]
        if more and any(z3.is_false(z3.simplify(z3.substitute(part, *more))) for part in parts):
            return None
        return refined, [*pairs, *more]

    def _changed(self, step: ThreadStep, pairs: Pairs) -> dict[StateVariable, z3.ExprRef | None]:
        """The new values of what a step changes; None for those that are not known."""
        found: dict[StateVariable, z3.ExprRef | None] = {}
        for variable, term in step.values.items():
            if not variable.is_array:
                value = z3.simplify(z3.substitute(term, *pairs))
                found[variable] = value if _is_literal(value) else None
        return found

    def _join(self, location: int, values: Values) -> bool:
        """Keeps at a location what holds there, and on one more way; True if that is less than before."""
        known = self.at.get(location)
        if known is None:
            self.at[location] = values
            return True
        kept = {variable: value for variable, value in known.items() if _is_same(values.get(variable), value)}
        self.at[location] = kept
        return len(kept) < len(known)

    # --- formulas ---------------------------------------------------------------------------------------------------

    def formulas(self, predicates: dict[int, Predicate]) -> dict[Predicate, z3.BoolRef]:
        """What is known, over the arguments of the predicates of locations."""
        return {predicate: self._formula(location, predicate) for location, predicate in predicates.items()}

    def _formula(self, location: int, predicate: Predicate) -> z3.BoolRef:
        values = self.at.get(location)
        if values is None:
            return z3.BoolVal(False)
        terms = dict(zip(self.clauses.variables[predicate], predicate.formals, strict=True))
        thread = next(steps.thread for steps in self.found if location in steps.thread.function.locations)
        own = self.own[thread]
        parts = []
        for variable, value in values.items():
            if variable in terms and _number(value) != _OWN:
                parts.append(terms[variable] == value)
            elif variable in terms and own is not None and own in terms and variable is not own:
                parts.append(terms[variable] == terms[own])
        for variable, term in terms.items():
            if variable is own or variable.name == NEXT_THREAD:
                least = self.clauses.theory.literal(len(self.found) + 1, INT).term
                parts.append(term >= least)  # signed
        return conjunction(parts)


def _number(value: z3.ExprRef) -> int:
    return int(value.as_long()) if isinstance(value, z3.IntNumRef | z3.BitVecNumRef) else -1


def _is_literal(term: z3.ExprRef) -> bool:
    return isinstance(term, z3.IntNumRef | z3.BitVecNumRef)


def _is_same(one: z3.ExprRef | None, other: z3.ExprRef) -> bool:
    return one is not None and one.eq(other)
